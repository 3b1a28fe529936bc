"""Listings of tools and forms of results in each family's template, by dialect.

A text of a template has the words that the family was trained with.  What has no source is not
confirmed; a dialect that is not here has no known form.
"""

from __future__ import annotations

from typing import TypeVar

from typesig.providers.dialects.dialect import Results, ToolListing

_Part = TypeVar("_Part", ToolListing, Results)

LLAMA_CPP = "github.com/ggml-org/llama.cpp, models/templates/"
VLLM = "github.com/vllm-project/vllm, vllm/"
SGLANG = "github.com/sgl-project/sglang, python/sglang/srt/function_call/"

_QWEN = (
    "# Tools\n\n"
    "You may call one or more functions to assist with the user query.\n\n"
    "You are provided with function signatures within <tools></tools> XML tags:\n"
    "<tools>\n{tools}\n</tools>\n\n"
)
_QWEN_CALL = (
    "For each function call, return a json object with function name and arguments within "
    "<tool_call></tool_call> XML tags:\n"
    '<tool_call>\n{"name": <function-name>, "arguments": <args-json-object>}\n</tool_call>'
)
_GLM_CALL = (
    "For each function call, output the function name and arguments within the following XML "
    "format:\n"
)
_IMPORTANT = (
    "<IMPORTANT>\nReminder:\n"
    "- Function calls MUST follow the specified format: {}\n"
    "- Required parameters MUST be specified\n"
    "- You may provide optional reasoning for your function call in natural language BEFORE the "
    "function call, but NOT after\n"
    "- If there is no function call available, answer the question like normal with your current "
    "knowledge and do not tell the user about function calls\n"
    "</IMPORTANT>"
)
_CODER_CALL = (
    "If you choose to call a {kind} ONLY reply in the following format with NO suffix:\n\n"
    "<tool_call>\n<function=example_function_name>\n<parameter=example_parameter_1>\nvalue_1\n"
    "</parameter>\n<parameter=example_parameter_2>\n{second}\n</parameter>\n</function>\n"
    "</tool_call>\n\n"
)
_LLAMA = (
    "Given the following functions, please respond with a JSON for a function call with its proper "
    "arguments that best answers the given prompt.\n\n"
    'Respond in the format {"name": function name, "parameters": dictionary of argument name and '
    "its value}.Do not use variables.\n\n{tools}\n\n"
)
_DSML = (
    "## Tools\n\nYou have access to a set of tools you can use to answer the user's question.\n"
    'You can invoke functions by writing a "<｜DSML｜function_calls>" block like the following as part '
    "of your reply to the user:\n"
    '<｜DSML｜function_calls>\n<｜DSML｜invoke name="$FUNCTION_NAME">\n'
    '<｜DSML｜parameter name="$PARAMETER_NAME" string="true|false">$PARAMETER_VALUE'
    "</｜DSML｜parameter>\n...\n</｜DSML｜invoke>\n"
    '<｜DSML｜invoke name="$FUNCTION_NAME2">\n...\n</｜DSML｜invoke>\n</｜DSML｜function_calls>\n\n'
    "String and scalar parameters should be specified as is without any escaping or quotes, while "
    'lists and objects should use JSON format. The "string" attribute should be set to "true" for '
    'string type parameters and "false" for other types (numbers, booleans, arrays, objects).\n\n'
    "If the thinking_mode is enabled, then after function results you should strongly consider "
    "outputting a thinking block. Here is an example:\n\n"
    "<｜DSML｜function_calls>\n...\n</｜DSML｜function_calls>\n\n"
    "<function_results>\n...\n</function_results>\n\n<think>...thinking about results</think>\n\n"
    "Here are the functions available in JSONSchema format:\n<functions>\n{tools}\n</functions>\n"
)
_DSML_4 = (
    "## Tools\n\nYou have access to a set of tools to help answer the user's question. You can invoke "
    'tools by writing a "<｜DSML｜tool_calls>" block like the following:\n\n'
    '<｜DSML｜tool_calls>\n<｜DSML｜invoke name="$TOOL_NAME">\n'
    '<｜DSML｜parameter name="$PARAMETER_NAME" string="true|false">$PARAMETER_VALUE'
    "</｜DSML｜parameter>\n...\n</｜DSML｜invoke>\n"
    '<｜DSML｜invoke name="$TOOL_NAME2">\n...\n</｜DSML｜invoke>\n</｜DSML｜tool_calls>\n\n'
    'String parameters should be specified as is and set `string="true"`. For all other types '
    "(numbers, booleans, arrays, objects), pass the value in JSON format and set "
    '`string="false"`.\n\n'
    "If thinking_mode is enabled (triggered by <think>), you MUST output your complete reasoning "
    "inside <think>...</think> BEFORE any tool calls or final response.\n\n"
    "Otherwise, output directly after </think> with tool calls or final response.\n\n"
    "### Available Tool Schemas\n\n{tools}\n\n"
    "You MUST strictly follow the above defined tool name and parameter schemas to invoke tool "
    "calls.\n"
)
_MINIMAX_M1 = (
    "You are provided with these tools:\n<tools>\n{tools}\n</tools>\n\n"
    "If you need to call tools, please respond with <tool_calls></tool_calls> XML tags, and provide "
    "tool-name and json-object of arguments, following the format below:\n"
    '<tool_calls>\n{"name": <tool-name>, "arguments": <args-json-object>}\n...\n</tool_calls>'
)
_MINIMAX_M2 = (
    "# Tools\nYou may call one or more tools to assist with the user query.\n"
    "Here are the tools available in JSONSchema format:\n\n<tools>\n{tools}\n</tools>\n\n"
    "When making tool calls, use XML format to invoke tools and pass parameters:\n\n"
    '<minimax:tool_call>\n<invoke name="tool-name-1">\n'
    '<parameter name="param-key-1">param-value-1</parameter>\n'
    '<parameter name="param-key-2">param-value-2</parameter>\n...\n</invoke>\n'
    "</minimax:tool_call>"
)
_COHERE = (
    "## Available Tools\n"
    "Here is the list of tools that you have available to you.\n"
    "You can ONLY use the tools listed here. When a tool is not listed below, it is NOT available "
    "and you should NEVER attempt to use it.\n"
    'Each tool is represented as a JSON object with fields like "name", "description", "parameters" '
    '(per JSON Schema), and optionally, "responses" (per JSON Schema).\n\n'
    "```json\n[\n{tools}\n]\n```"
)
_COMMAND_R = (
    "## Available Tools\nHere is a list of tools that you have available to you:\n\n{tools}"
)
_COMMAND_R_CALL = (
    "Write 'Action:' followed by a json-formatted list of actions that you want to perform in order "
    "to produce a good response to the user's last input. You can use any of the supplied tools any "
    "number of times, but you should aim to execute the minimum number of necessary actions for the "
    "input. You should use the `directly-answer` tool if calling the other tools is unnecessary. The "
    "list of actions you want to call should be formatted as a list of json objects, for example:\n"
    '```json\n[\n    {\n        "tool_name": title of the tool in the specification,\n'
    '        "parameters": a dict of parameters to input into the tool as they are defined in the '
    "specs, or {} if it takes no parameters\n    }\n]```"
)

_IM = "<|im_end|>\n<|im_start|>user\n{results}<|im_end|>\n<|im_start|>assistant\n"
_RESPONSE = "<tool_response>\n{content}\n</tool_response>"
_GRANITE = "<|end_of_text|>\n{results}<|start_of_role|>assistant<|end_of_role|>"
_GRANITE_ITEM = "<|start_of_role|>tool<|end_of_role|>{content}<|end_of_text|>\n"
_COHERE_TURN = "<|END_OF_TURN_TOKEN|><|START_OF_TURN_TOKEN|><|SYSTEM_TOKEN|>"
_CHATBOT = "<|END_OF_TURN_TOKEN|><|START_OF_TURN_TOKEN|><|CHATBOT_TOKEN|>"


def _make_glm_listing(line: str) -> ToolListing:
    """Make the tool listing of GLM's template; *line* separates the tags of a call."""
    parts = ["<tool_call>{function-name}"]
    for number in "12":
        parts.append(f"<arg_key>{{arg-key-{number}}}</arg_key>")
        parts.append(f"<arg_value>{{arg-value-{number}}}</arg_value>")
    text = _QWEN + _GLM_CALL + line.join([*parts, "...", "</tool_call>"])
    return ToolListing(text, "tool")


#: The files of the templates, each with the listing and the results of a dialect.  What has no
#: other source, and none here, is not confirmed.
_FILES: dict[str, str] = {
    "hermes": "Qwen-Qwen3-0.6B",
    "granite-3.1": "ibm-granite-granite-3.3-2B-Instruct",
    "minimax-m1": "MiniMax-M1",
    "llama-json": "meta-llama-Llama-3.1-8B-Instruct",
    "mistral": "Mistral-Small-3.2-24B-Instruct-2506",
    "mistral-json": "mistralai-Mistral-Nemo-Instruct-2407",
    "deepseek-v3.2": "deepseek-ai-DeepSeek-V3.2",
    "deepseek-v4": "deepseek-ai-DeepSeek-V4",
    "qwen3-coder": "Qwen3-Coder",
    "qwen3.5": "Qwen3.5-4B",
    "glm-4.5": "GLM-4.6",
    "glm-4.7": "GLM-4.7-Flash",
    "minimax-m2": "MiniMax-M2",
    "kimi-k2": "moonshotai-Kimi-K2",
    "harmony": "openai-gpt-oss-120b",
    "cohere": "CohereForAI-c4ai-command-r7b-12-2024-tool_use",
    "command-r": "CohereForAI-c4ai-command-r-plus-tool_use",
    "gemma-4": "google-gemma-4-31B-it",
    "pythonic": "meta-llama-Llama-3.2-3B-Instruct",
    "deepseek-v3.1": "deepseek-ai-DeepSeek-V3.1",
    "seed-oss": "ByteDance-Seed-OSS",
}


def _add_sources(table: dict[str, _Part]) -> dict[str, _Part]:
    """Add to each row of *table* the source of its template, unless it has one."""
    sources = {name: f"{LLAMA_CPP}{file}.jinja" for name, file in _FILES.items()}
    return {
        name: row._replace(source=row.source or sources.get(name, ""))
        for name, row in table.items()
    }


#: How each template lists the tools.
LISTINGS: dict[str, ToolListing] = _add_sources(
    {
        "hermes": ToolListing(_QWEN + _QWEN_CALL, "tool"),
        "granite-3.0": ToolListing("[{tools}]", "tool", ", "),
        "granite-3.1": ToolListing("[\n{tools}\n]", "nested", ",\n", indent=4),
        "minimax-m1": ToolListing(_MINIMAX_M1, "tool"),
        "llama-json": ToolListing(_LLAMA, "tool", "\n\n", indent=4),
        "mistral": ToolListing("[AVAILABLE_TOOLS][{tools}][/AVAILABLE_TOOLS]", "tool", ", "),
        "mistral-json": ToolListing("[AVAILABLE_TOOLS][{tools}][/AVAILABLE_TOOLS]", "tool", ", "),
        "deepseek-v3.2": ToolListing(_DSML, "function"),
        "deepseek-v4": ToolListing(_DSML_4, "function"),
        "qwen3-coder": ToolListing(
            "# Tools\n\nYou have access to the following tools:\n\n<tools>\n{tools}\n</tools>\n\n"
            + _CODER_CALL.format(kind="tool", second="value_2")
            + _IMPORTANT.format(
                "the tool calling block MUST begin with an opening <tool_call> tag and end with a "
                "closing </tool_call> tag."
            ),
            "xml",
        ),
        "qwen3.5": ToolListing(
            "# Tools\n\nYou have access to the following functions:\n\n<tools>\n{tools}\n</tools>\n\n"
            + _CODER_CALL.format(
                kind="function",
                second="This is the value for the second parameter\nthat can span\nmultiple lines",
            )
            + _IMPORTANT.format(
                "an inner <function=...></function> block must be nested within "
                "<tool_call></tool_call> XML tags"
            ),
            "tool",
        ),
        "glm-4.5": _make_glm_listing("\n"),
        "glm-4.7": _make_glm_listing(""),
        "minimax-m2": ToolListing(_MINIMAX_M2, "function", item="<tool>{tool}</tool>"),
        "kimi-k2": ToolListing("[{tools}]", "tool", ", "),
        "harmony": ToolListing(
            "# Tools\n\n## functions\n\nnamespace functions {\n\n{tools}\n\n} // namespace functions",
            "typescript",
            "\n\n",
        ),
        "cohere": ToolListing(_COHERE, "responses", ",\n", "    {tool}"),
        "command-r": ToolListing(
            f"{_COMMAND_R}\n\n{_COMMAND_R_CALL}", "python", "\n\n", "```python\n{tool}\n```"
        ),
        "functiongemma": ToolListing(
            "{tools}",
            "declaration",
            "",
            "<start_function_declaration>{tool}<end_function_declaration>",
        ),
        "gemma-4": ToolListing("{tools}", "declaration", "", "<|tool>{tool}<tool|>"),
    }
)

_LLAMA_RESULTS = Results(
    "<|eot_id|>{results}<|start_header_id|>assistant<|end_header_id|>\n\n",
    "<|start_header_id|>ipython<|end_header_id|>\n\n{json}<|eot_id|>",
)

#: How each template tells of results.
RESULTS: dict[str, Results] = _add_sources(
    {
        "hermes": Results(_IM, _RESPONSE, "\n"),
        "granite-3.0": Results(_GRANITE, _GRANITE_ITEM.replace(">tool<", ">tool_response<")),
        "granite-3.1": Results(_GRANITE, _GRANITE_ITEM),
        "minimax-m1": Results(
            "<end_of_sentence>\n{results}<beginning_of_sentence>ai name=assistant\n",
            "<beginning_of_sentence>tool name=tools\ntool result: {content}\n\n<end_of_sentence>\n",
        ),
        "llama-json": _LLAMA_RESULTS,
        "pythonic": _LLAMA_RESULTS,
        "mistral": Results(
            "</s>{results}", "[TOOL_RESULTS]{id}[TOOL_CONTENT]{content}[/TOOL_RESULTS]"
        ),
        "mistral-json": Results(
            "</s>{results}", '[TOOL_RESULTS]{"content": {data}, "call_id": "{id}"}[/TOOL_RESULTS]'
        ),
        "deepseek-v3": Results(
            "<｜end▁of▁sentence｜><｜tool▁outputs▁begin｜>{results}<｜tool▁outputs▁end｜>",
            "<｜tool▁output▁begin｜>{content}<｜tool▁output▁end｜>",
            "\n",
        ),
        "deepseek-v3.1": Results(
            "<｜end▁of▁sentence｜>{results}",
            "<｜tool▁output▁begin｜>{content}<｜tool▁output▁end｜>",
        ),
        "deepseek-v3.2": Results(
            "<｜end▁of▁sentence｜>\n\n<function_results>\n{results}\n</function_results>\n\n",
            "<result>{content}</result>",
            "\n",
        ),
        "deepseek-v4": Results(
            "<｜end▁of▁sentence｜><｜User｜>{results}<｜Assistant｜>",
            "<tool_result>{content}</tool_result>",
            "\n\n",
        ),
        "qwen3-coder": Results(_IM, f"{_RESPONSE}\n"),
        "qwen3.5": Results(_IM, _RESPONSE, "\n"),
        "seed-oss": Results(
            "<seed:eos>{results}<seed:bos>assistant\n", "<seed:bos>tool\n{content}<seed:eos>"
        ),
        "glm-4.5": Results("<|observation|>\n{results}<|assistant|>", _RESPONSE, "\n"),
        "glm-4.7": Results(
            "<|observation|>{results}<|assistant|>", "<tool_response>{content}</tool_response>"
        ),
        "minimax-m2": Results(
            "[e~[\n]~b]tool\n{results}[e~[\n]~b]ai\n", "<response>{content}</response>", "\n"
        ),
        "kimi-k2": Results(
            "<|im_end|>{results}<|im_assistant|>assistant<|im_middle|>",
            "<|im_system|>tool<|im_middle|>## Return of {id}\n{content}<|im_end|>",
            source="github.com/MoonshotAI/Kimi-K2, docs/tool_call_guidance.md",
        ),
        "harmony": Results(
            "{results}<|start|>assistant",
            "<|start|>functions.{name} to=assistant<|channel|>commentary<|message|>{json}<|end|>",
        ),
        "cohere": Results(
            f"{_COHERE_TURN}<|START_TOOL_RESULT|>[\n{{results}}\n]<|END_TOOL_RESULT|>{_CHATBOT}",
            '    {\n        "tool_call_id": "{id}",\n        "results": {\n            "0": {json}\n'
            '        },\n        "is_error": null\n    }',
            ",\n",
        ),
        "command-r": Results(
            "\n<|START_OF_TURN_TOKEN|><|SYSTEM_TOKEN|><results>\n{results}</results>"
            f"<|END_OF_TURN_TOKEN|><|START_OF_TURN_TOKEN|><|SYSTEM_TOKEN|>{_COMMAND_R_CALL}{_CHATBOT}",
            "{content}",
            "\n",
        ),
        "functiongemma": Results(
            "{results}",
            "<start_function_response>response:{name}{value:<escape>{content}<escape>}"
            "<end_function_response>",
        ),
        "gemma-4": Results(
            "{results}",
            '<|tool_response>response:{name}{value:<|"|>{content}<|"|>}<tool_response|>',
        ),
    }
)
