"""What the templates of each family say of tools and of results, by the names of the dialects.

A text of a template has the words that the family was trained with.  What has no source is not
confirmed; a dialect that is not here has no known form.
"""

from __future__ import annotations

from typesig.providers.dialects.dialect import Listing, Results

LLAMA_CPP = "github.com/ggml-org/llama.cpp, models/templates/"

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


def _glm(name: str, line: str) -> Listing:
    parts = ["<tool_call>{function-name}"]
    for number in "12":
        parts.append(f"<arg_key>{{arg-key-{number}}}</arg_key>")
        parts.append(f"<arg_value>{{arg-value-{number}}}</arg_value>")
    text = _QWEN + _GLM_CALL + line.join([*parts, "...", "</tool_call>"])
    return Listing(text, "tool", source=f"{LLAMA_CPP}{name}.jinja")


#: How each template lists the tools.
LISTINGS: dict[str, Listing] = {
    "hermes": Listing(_QWEN + _QWEN_CALL, "tool", source=f"{LLAMA_CPP}Qwen-Qwen3-0.6B.jinja"),
    "granite-3.0": Listing("[{tools}]", "tool", ", "),
    "granite-3.1": Listing(
        "[\n{tools}\n]",
        "nested",
        ",\n",
        indent=4,
        source=f"{LLAMA_CPP}ibm-granite-granite-3.3-2B-Instruct.jinja",
    ),
    "minimax-m1": Listing(_MINIMAX_M1, "tool", source=f"{LLAMA_CPP}MiniMax-M1.jinja"),
    "llama-json": Listing(
        _LLAMA,
        "tool",
        "\n\n",
        indent=4,
        source=f"{LLAMA_CPP}meta-llama-Llama-3.1-8B-Instruct.jinja",
    ),
    "mistral": Listing(
        "[AVAILABLE_TOOLS][{tools}][/AVAILABLE_TOOLS]",
        "tool",
        ", ",
        source=f"{LLAMA_CPP}Mistral-Small-3.2-24B-Instruct-2506.jinja",
    ),
    "mistral-json": Listing(
        "[AVAILABLE_TOOLS][{tools}][/AVAILABLE_TOOLS]",
        "tool",
        ", ",
        source=f"{LLAMA_CPP}mistralai-Mistral-Nemo-Instruct-2407.jinja",
    ),
    "deepseek-v3.2": Listing(
        _DSML, "function", source=f"{LLAMA_CPP}deepseek-ai-DeepSeek-V3.2.jinja"
    ),
    "deepseek-v4": Listing(_DSML_4, "function", source=f"{LLAMA_CPP}deepseek-ai-DeepSeek-V4.jinja"),
    "qwen3-coder": Listing(
        "# Tools\n\nYou have access to the following tools:\n\n<tools>\n{tools}\n</tools>\n\n"
        + _CODER_CALL.format(kind="tool", second="value_2")
        + _IMPORTANT.format(
            "the tool calling block MUST begin with an opening <tool_call> tag and end with a "
            "closing </tool_call> tag."
        ),
        "xml",
        source=f"{LLAMA_CPP}Qwen3-Coder.jinja",
    ),
    "qwen3.5": Listing(
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
        source=f"{LLAMA_CPP}Qwen3.5-4B.jinja",
    ),
    "glm-4.5": _glm("GLM-4.6", "\n"),
    "glm-4.7": _glm("GLM-4.7-Flash", ""),
    "minimax-m2": Listing(
        _MINIMAX_M2, "function", item="<tool>{tool}</tool>", source=f"{LLAMA_CPP}MiniMax-M2.jinja"
    ),
    "kimi-k2": Listing("[{tools}]", "tool", ", ", source=f"{LLAMA_CPP}moonshotai-Kimi-K2.jinja"),
    "harmony": Listing(
        "# Tools\n\n## functions\n\nnamespace functions {\n\n{tools}\n\n} // namespace functions",
        "typescript",
        "\n\n",
        source=f"{LLAMA_CPP}openai-gpt-oss-120b.jinja",
    ),
    "cohere": Listing(
        _COHERE,
        "responses",
        ",\n",
        "    {tool}",
        source=f"{LLAMA_CPP}CohereForAI-c4ai-command-r7b-12-2024-tool_use.jinja",
    ),
    "command-r": Listing(
        f"{_COMMAND_R}\n\n{_COMMAND_R_CALL}",
        "python",
        "\n\n",
        "```python\n{tool}\n```",
        source=f"{LLAMA_CPP}CohereForAI-c4ai-command-r-plus-tool_use.jinja",
    ),
    "functiongemma": Listing(
        "{tools}", "declaration", "", "<start_function_declaration>{tool}<end_function_declaration>"
    ),
    "gemma-4": Listing(
        "{tools}",
        "declaration",
        "",
        "<|tool>{tool}<tool|>",
        source=f"{LLAMA_CPP}google-gemma-4-31B-it.jinja",
    ),
}

#: How each template tells of results.
RESULTS: dict[str, Results] = {
    "hermes": Results(_IM, _RESPONSE, "\n", f"{LLAMA_CPP}Qwen-Qwen3-0.6B.jinja"),
    "granite-3.0": Results(_GRANITE, _GRANITE_ITEM.replace(">tool<", ">tool_response<")),
    "granite-3.1": Results(
        _GRANITE, _GRANITE_ITEM, source=f"{LLAMA_CPP}ibm-granite-granite-3.3-2B-Instruct.jinja"
    ),
    "minimax-m1": Results(
        "<end_of_sentence>\n{results}<beginning_of_sentence>ai name=assistant\n",
        "<beginning_of_sentence>tool name=tools\ntool result: {content}\n\n<end_of_sentence>\n",
        source=f"{LLAMA_CPP}MiniMax-M1.jinja",
    ),
    "llama-json": Results(
        "<|eot_id|>{results}<|start_header_id|>assistant<|end_header_id|>\n\n",
        "<|start_header_id|>ipython<|end_header_id|>\n\n{json}<|eot_id|>",
        source=f"{LLAMA_CPP}meta-llama-Llama-3.1-8B-Instruct.jinja",
    ),
    "pythonic": Results(
        "<|eot_id|>{results}<|start_header_id|>assistant<|end_header_id|>\n\n",
        "<|start_header_id|>ipython<|end_header_id|>\n\n{json}<|eot_id|>",
        source=f"{LLAMA_CPP}meta-llama-Llama-3.2-3B-Instruct.jinja",
    ),
    "mistral": Results(
        "</s>{results}",
        "[TOOL_RESULTS]{id}[TOOL_CONTENT]{content}[/TOOL_RESULTS]",
        source=f"{LLAMA_CPP}Mistral-Small-3.2-24B-Instruct-2506.jinja",
    ),
    "mistral-json": Results(
        "</s>{results}",
        '[TOOL_RESULTS]{"content": {data}, "call_id": "{id}"}[/TOOL_RESULTS]',
        source=f"{LLAMA_CPP}mistralai-Mistral-Nemo-Instruct-2407.jinja",
    ),
    "deepseek-v3": Results(
        "<｜end▁of▁sentence｜><｜tool▁outputs▁begin｜>{results}<｜tool▁outputs▁end｜>",
        "<｜tool▁output▁begin｜>{content}<｜tool▁output▁end｜>",
        "\n",
    ),
    "deepseek-v3.1": Results(
        "<｜end▁of▁sentence｜>{results}",
        "<｜tool▁output▁begin｜>{content}<｜tool▁output▁end｜>",
        source=f"{LLAMA_CPP}deepseek-ai-DeepSeek-V3.1.jinja",
    ),
    "deepseek-v3.2": Results(
        "<｜end▁of▁sentence｜>\n\n<function_results>\n{results}\n</function_results>\n\n",
        "<result>{content}</result>",
        "\n",
        f"{LLAMA_CPP}deepseek-ai-DeepSeek-V3.2.jinja",
    ),
    "deepseek-v4": Results(
        "<｜end▁of▁sentence｜><｜User｜>{results}<｜Assistant｜>",
        "<tool_result>{content}</tool_result>",
        "\n\n",
        f"{LLAMA_CPP}deepseek-ai-DeepSeek-V4.jinja",
    ),
    "qwen3-coder": Results(_IM, f"{_RESPONSE}\n", source=f"{LLAMA_CPP}Qwen3-Coder.jinja"),
    "qwen3.5": Results(_IM, _RESPONSE, "\n", f"{LLAMA_CPP}Qwen3.5-4B.jinja"),
    "seed-oss": Results(
        "<seed:eos>{results}<seed:bos>assistant\n",
        "<seed:bos>tool\n{content}<seed:eos>",
        source=f"{LLAMA_CPP}ByteDance-Seed-OSS.jinja",
    ),
    "glm-4.5": Results(
        "<|observation|>\n{results}<|assistant|>", _RESPONSE, "\n", f"{LLAMA_CPP}GLM-4.6.jinja"
    ),
    "glm-4.7": Results(
        "<|observation|>{results}<|assistant|>",
        "<tool_response>{content}</tool_response>",
        source=f"{LLAMA_CPP}GLM-4.7-Flash.jinja",
    ),
    "minimax-m2": Results(
        "[e~[\n]~b]tool\n{results}[e~[\n]~b]ai\n",
        "<response>{content}</response>",
        "\n",
        f"{LLAMA_CPP}MiniMax-M2.jinja",
    ),
    "kimi-k2": Results(
        "<|im_end|>{results}<|im_assistant|>assistant<|im_middle|>",
        "<|im_system|>tool<|im_middle|>## Return of {id}\n{content}<|im_end|>",
        source="github.com/MoonshotAI/Kimi-K2, docs/tool_call_guidance.md",
    ),
    "harmony": Results(
        "{results}<|start|>assistant",
        "<|start|>functions.{name} to=assistant<|channel|>commentary<|message|>{json}<|end|>",
        source=f"{LLAMA_CPP}openai-gpt-oss-120b.jinja",
    ),
    "cohere": Results(
        f"{_COHERE_TURN}<|START_TOOL_RESULT|>[\n{{results}}\n]<|END_TOOL_RESULT|>{_CHATBOT}",
        '    {\n        "tool_call_id": "{id}",\n        "results": {\n            "0": {json}\n'
        '        },\n        "is_error": null\n    }',
        ",\n",
        f"{LLAMA_CPP}CohereForAI-c4ai-command-r7b-12-2024-tool_use.jinja",
    ),
    "command-r": Results(
        "\n<|START_OF_TURN_TOKEN|><|SYSTEM_TOKEN|><results>\n{results}</results>"
        f"<|END_OF_TURN_TOKEN|><|START_OF_TURN_TOKEN|><|SYSTEM_TOKEN|>{_COMMAND_R_CALL}{_CHATBOT}",
        "{content}",
        "\n",
        f"{LLAMA_CPP}CohereForAI-c4ai-command-r-plus-tool_use.jinja",
    ),
    "functiongemma": Results(
        "{results}",
        "<start_function_response>response:{name}{value:<escape>{content}<escape>}"
        "<end_function_response>",
    ),
    "gemma-4": Results(
        "{results}",
        '<|tool_response>response:{name}{value:<|"|>{content}<|"|>}<tool_response|>',
        source=f"{LLAMA_CPP}google-gemma-4-31B-it.jinja",
    ),
}
