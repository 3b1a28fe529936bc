"""Families whose calls are JSON objects, a name and a JSON object, Python calls, or bare keys."""

from __future__ import annotations

from typesig.providers.dialects.dialect import (
    BareForm,
    Dialect,
    HeadForm,
    JsonForm,
    Marks,
    PythonForm,
)
from typesig.providers.dialects.prompt_templates import LLAMA_CPP, SGLANG, VLLM
from typesig.providers.dialects.tagged_rows import EQUALS_TAGS, XML_TAGS

# --- Families whose calls are JSON objects, Python calls, or objects with bare keys ---

LIST = JsonForm(is_list=True)
THINK = Marks("<think>", "</think>")
_CHATML = ("<|im_start|>assistant", "<|im_end|>")

_GRANITE_30 = Dialect(
    "granite-3.0",
    "Granite 3.0",
    f"{VLLM}parser/granite.py",
    LIST,
    ("<|tool_call|>",),
    reasoning=(),
    others=("<|end_of_text|>",),
)
_GRANITE_31 = Dialect(
    "granite-3.1",
    "Granite 3.1 to 3.3",
    f"{VLLM}parser/granite.py",
    LIST,
    ("<tool_call>",),
    others=("<|end_of_text|>", "<response>", "</response>"),
)

JSON_ROWS = (
    Dialect(
        "hermes",
        "Hermes 2 and 3, Qwen 2.5 and 3, Granite 4, Reka Edge",
        f"{VLLM}tool_parsers/hermes_tool_parser.py",
        JsonForm(),
        ("<tool_call>",),
        ("</tool_call>",),
        between="\n",
        pad="\n",
        others=_CHATML,
        siblings=(EQUALS_TAGS, XML_TAGS),
    ),
    Dialect(
        "longcat",
        "LongCat Flash",
        f"{VLLM}parser/longcat.py",
        JsonForm(),
        ("<longcat_tool_call>",),
        ("</longcat_tool_call>",),
        between="\n",
        pad="\n",
        reasoning=(Marks("<longcat_think>", "</longcat_think>"), THINK),
        others=("<longcat_s>", "</longcat_s>"),
    ),
    _GRANITE_30._replace(siblings=(_GRANITE_31,)),
    _GRANITE_31._replace(siblings=(_GRANITE_30,)),
    Dialect(
        "granite-20b",
        "Granite 20B function calling",
        f"{VLLM}tool_parsers/granite_20b_fc_tool_parser.py",
        JsonForm(),
        ("<function_call>",),
        between="\n",
        reasoning=(),
        others=("<|endoftext|>", "</function_call>"),
    ),
    Dialect(
        "jamba",
        "Jamba, Hunyuan A13B",
        f"{VLLM}tool_parsers/jamba_tool_parser.py",
        LIST,
        ("<tool_calls>",),
        ("</tool_calls>",),
        others=("<answer>", "</answer>"),
    ),
    Dialect(
        "apriel",
        "Apriel 1.5 and 1.6",
        f"{LLAMA_CPP}unsloth-Apriel-1.5.jinja",
        LIST,
        ("<tool_calls>",),
        ("</tool_calls>",),
        reasoning=(Marks("Here are my reasoning steps:\n", "[BEGIN FINAL RESPONSE]"), THINK),
        others=("[END FINAL RESPONSE]", "<|end|>", "<|assistant_end|>"),
    ),
    Dialect(
        "nemotron",
        "Nemotron Nano 2",
        f"{LLAMA_CPP}NVIDIA-Nemotron-Nano-v2.jinja",
        LIST,
        ("<TOOLCALL>",),
        ("</TOOLCALL>",),
        others=("<SPECIAL_12>",),
    ),
    Dialect(
        "minimax-m1",
        "MiniMax M1",
        f"{LLAMA_CPP}MiniMax-M1.jinja",
        JsonForm(is_lines=True),
        ("<tool_calls>",),
        ("</tool_calls>",),
        between="\n",
        pad="\n",
        others=("<end_of_sentence>",),
    ),
    Dialect(
        "internlm",
        "InternLM 2, Intern-S1",
        f"{SGLANG}internlm_detector.py",
        JsonForm(arguments=("parameters", "arguments")),
        ("<|action_start|><|plugin|>", "<|action_start|> <|plugin|>"),
        ("<|action_end|>",),
        between="\n",
        pad="\n",
    ),
    Dialect(
        "apertus",
        "Apertus",
        f"{VLLM}tool_parsers/apertus_tool_parser.py",
        JsonForm(is_list=True, is_keyed=True),
        ("<|tools_prefix|>",),
        ("<|tools_suffix|>",),
        reasoning=(Marks("<|inner_prefix|>", "<|inner_suffix|>"),),
        others=("<|assistant_start|>", "<|assistant_end|>"),
    ),
    Dialect(
        "gigachat-3",
        "GigaChat 3 and 3.1",
        f"{SGLANG}gigachat3_detector.py",
        JsonForm(),
        (
            "<|function_call|>",
            "<|message_sep|>\n\nfunction call<|role_sep|>\n",
            "function call<|role_sep|>\n",
        ),
        between="\n",
        reasoning=(),
        others=("<|message_sep|>", "<|role_sep|>", "</s>"),
    ),
    Dialect(
        "phi-4-mini",
        "Phi-4-mini",
        f"{VLLM}tool_parsers/phi4mini_tool_parser.py",
        LIST,
        ("functools[", "<|tool_call|>"),
        ("<|/tool_call|>",),
        reasoning=(),
        others=("<|end|>",),
    ),
    Dialect(
        "xlam",
        "xLAM",
        f"{VLLM}tool_parsers/xlam_tool_parser.py",
        LIST,
        ("[TOOL_CALLS]", "<tool_call>"),
        ("</tool_call>",),
        bare="[",
    ),
    Dialect(
        "llama-json",
        "Llama 3.1 to 3.3, JSON",
        f"{VLLM}tool_parsers/llama_tool_parser.py",
        JsonForm(arguments=("parameters", "arguments")),
        ("<|python_tag|>",),
        between="; ",
        bare="{",
        reasoning=(),
        others=("<|eom_id|>", "<|eot_id|>"),
    ),
    Dialect(
        "pythonic",
        "Llama 3.2 and 4, Gemma 3, lists of Python calls",
        f"{VLLM}tool_parsers/pythonic_tool_parser.py",
        PythonForm(),
        ("<|python_start|>",),
        ("<|python_end|>",),
        bare="[",
        reasoning=(),
        others=("<|eom_id|>", "<|eot_id|>", "<end_of_turn>"),
    ),
    Dialect(
        "lfm2",
        "LFM2 and LFM2.5",
        f"{VLLM}tool_parsers/lfm2_tool_parser.py",
        PythonForm(),
        ("<|tool_call_start|>",),
        ("<|tool_call_end|>",),
        others=_CHATML,
    ),
    Dialect(
        "olmo-3",
        "Olmo 3",
        f"{VLLM}tool_parsers/olmo3_tool_parser.py",
        PythonForm(is_lines=True),
        ("<function_calls>",),
        ("</function_calls>",),
        others=_CHATML,
    ),
)

#: Families with objects whose keys are bare, and with marks of a turn.
BARE_ROWS = (
    Dialect(
        "cohere",
        "Command R7B and A",
        f"{VLLM}parser/cohere_command.py",
        JsonForm(("tool_name",), ("parameters",), ("tool_call_id",), is_list=True),
        ("<|START_ACTION|>",),
        ("<|END_ACTION|>",),
        reasoning=(Marks("<|START_THINKING|>", "<|END_THINKING|>"),),
        others=(
            "<|START_RESPONSE|>",
            "<|END_RESPONSE|>",
            "<|START_TEXT|>",
            "<|END_TEXT|>",
            "<|START_OF_TURN_TOKEN|>",
            "<|CHATBOT_TOKEN|>",
            "<|END_OF_TURN_TOKEN|>",
        ),
        ids="{index}",
    ),
    Dialect(
        "command-r",
        "Command R and R+ (2024)",
        f"{LLAMA_CPP}CohereForAI-c4ai-command-r-plus-tool_use.jinja",
        JsonForm(("tool_name",), ("parameters",), is_list=True),
        ("Action:\n```json", "Action: ```json"),
        ("```",),
        pad="\n",
        reasoning=(),
        others=("<|START_OF_TURN_TOKEN|>", "<|CHATBOT_TOKEN|>", "<|END_OF_TURN_TOKEN|>"),
        idle="directly-answer",
    ),
    Dialect(
        "functiongemma",
        "FunctionGemma",
        f"{VLLM}tool_parsers/functiongemma_tool_parser.py",
        BareForm("call:", "<escape>"),
        ("<start_function_call>",),
        ("<end_function_call>",),
        reasoning=(),
        others=("<start_function_response>", "<end_of_turn>"),
    ),
    Dialect(
        "gemma-4",
        "Gemma 4",
        f"{VLLM}parser/gemma4.py",
        BareForm("call:", '<|"|>'),
        ("<|tool_call>",),
        ("<tool_call|>",),
        reasoning=(
            Marks("<|channel>thought\n", "<channel|>"),
            Marks("<|channel>thought", "<channel|>"),
            Marks("<|channel>", "<channel|>"),
        ),
        others=("<|tool_response>", "<turn|>", "<|turn>model\n"),
    ),
)

#: How Mistral's models call, before the eleventh version of their tokenizer and since.
MISTRAL_HEAD = HeadForm("{name}[ARGS]{arguments}", ("[CALL_ID]", "[ARGS]"), id_after="[CALL_ID]")


# --- Families whose calls have the name in a head, and then a JSON object with the arguments ---

_DEEPSEEK = Marks("<｜tool▁calls▁begin｜>", "<｜tool▁calls▁end｜>")
_END_OF_CALLS = "[/TOOL_CALLS]"


def _make_deepseek_dialect(
    name: str, title: str, source: str, form: HeadForm, between: str
) -> Dialect:
    """Make a dialect with DeepSeek's marks; *between* is the text between two calls."""
    marks = ("<｜tool▁call▁begin｜>",), ("<｜tool▁call▁end｜>",)
    others = ("<｜tool▁sep｜>", "<｜end▁of▁sentence｜>")
    return Dialect(name, title, source, form, *marks, _DEEPSEEK, between=between, others=others)


def _make_plamo_mark(name: str) -> str:
    """Make the mark of PLaMo that has the keyword *name*."""
    return f"<|plamo:{name}:plamo|>"


_JSON_MESSAGE = f"{_make_plamo_mark('begin_tool_arguments')}<|plamo:constrain|>json<|plamo:msg|>"

MISTRAL_ROWS = (
    Dialect(
        "mistral",
        "Mistral, tokenizer v11 and later",
        f"{VLLM}parser/mistral.py",
        MISTRAL_HEAD,
        ("[TOOL_CALLS]",),
        reasoning=(Marks("[THINK]", "[/THINK]"), THINK),
        others=("[ARGS]", "[CALL_ID]", _END_OF_CALLS, "</s>"),
        ids="call{index:05}",
    ),
    Dialect(
        "mistral-json",
        "Mistral, tokenizers before v11",
        f"{VLLM}parser/mistral.py",
        LIST,
        ("[TOOL_CALLS]",),
        reasoning=(),
        others=(_END_OF_CALLS, "</s>"),
        ids="call{index:05}",
        forms=(MISTRAL_HEAD,),
    ),
    _make_deepseek_dialect(
        "deepseek-v3",
        "DeepSeek V3 and R1",
        f"{VLLM}tool_parsers/deepseekv3_tool_parser.py",
        HeadForm(
            "function<｜tool▁sep｜>{name}\n```json\n{arguments}\n```",
            ("<｜tool▁sep｜>",),
            name_at=1,
        ),
        "\n",
    ),
    _make_deepseek_dialect(
        "deepseek-v3.1",
        "DeepSeek V3.1",
        f"{VLLM}tool_parsers/deepseekv31_tool_parser.py",
        HeadForm("{name}<｜tool▁sep｜>{arguments}", ("<｜tool▁sep｜>",)),
        "",
    ),
)

HEADED_ROWS = (
    Dialect(
        "functionary",
        "functionary 3.1",
        f"{LLAMA_CPP}meetkai-functionary-medium-v3.1.jinja",
        HeadForm("{name}>{arguments}", (">",)),
        ("<function=",),
        ("</function>",),
        reasoning=(),
        others=("<|eom_id|>", "<|eot_id|>", "<|python_tag|>"),
    ),
    Dialect(
        "plamo-3",
        "PLaMo 3",
        f"{VLLM}parser/plamo3.py",
        HeadForm(
            f"{{name}}{_make_plamo_mark('end_tool_name')}{_JSON_MESSAGE}{{arguments}}",
            (
                f"{_make_plamo_mark('end_tool_name')}{_JSON_MESSAGE}",
                _make_plamo_mark("end_tool_name"),
                _JSON_MESSAGE,
            ),
        ),
        (f"{_make_plamo_mark('begin_tool_request')}{_make_plamo_mark('begin_tool_name')}",),
        (f"{_make_plamo_mark('end_tool_arguments')}{_make_plamo_mark('end_tool_request')}",),
        Marks(_make_plamo_mark("begin_tool_requests"), _make_plamo_mark("end_tool_requests")),
        reasoning=(Marks(_make_plamo_mark("begin_think"), _make_plamo_mark("end_think")),),
        others=(
            *map(_make_plamo_mark, ("begin_tool_request", "end_tool_request", "begin_tool_name")),
            *map(_make_plamo_mark, ("end_tool_name", "begin_tool_arguments", "end_tool_arguments")),
            "<|plamo:constrain|>",
            "<|plamo:msg|>",
            "<|plamo:tag|>",
        ),
    ),
    Dialect(
        "kimi-k2",
        "Kimi K2 and K2.5",
        "github.com/MoonshotAI/Kimi-K2, docs/tool_call_guidance.md",
        HeadForm(
            "functions.{name}:{index}<|tool_call_argument_begin|>{arguments}",
            ("<|tool_call_argument_begin|>",),
            prefix="functions.",
            counter=":",
        ),
        ("<|tool_call_begin|>",),
        ("<|tool_call_end|>",),
        Marks("<|tool_calls_section_begin|>", "<|tool_calls_section_end|>"),
        others=("<|tool_call_argument_begin|>", "<|im_end|>"),
        ids="functions.{name}:{index}",
        wrappers=(Marks("<|tool_call_section_begin|>", "<|tool_call_section_end|>"),),
    ),
    Dialect(
        "harmony",
        "gpt-oss",
        "github.com/openai/openai-cookbook, articles/openai-harmony.md",
        HeadForm(
            "functions.{name} <|constrain|>json<|message|>{arguments}",
            ("<|channel|>", "<|constrain|>", "<|message|>"),
            prefix="functions.",
            is_word=True,
        ),
        (
            "<|channel|>commentary to=",
            "<|channel|>analysis to=",
            "<|start|>assistant to=",
        ),
        ("<|call|>",),
        between="<|start|>assistant",
        reasoning=(Marks("<|channel|>analysis<|message|>", "<|end|>"),),
        others=(
            "<|start|>assistant", "<|channel|>final<|message|>",
            "<|channel|>commentary<|message|>", "<|start|>", "<|channel|>", "<|constrain|>",
            "<|message|>", "<|return|>",
            # A message to the assistant itself calls nothing.
            "<|channel|>commentary to=assistant", "<|channel|>analysis to=assistant",
            "<|start|>assistant to=assistant",
        ),
        leads=("to=functions.", "commentary to=functions.", "analysis to=functions."),
        open_reasoning=True,
    ),
)  # fmt: skip
