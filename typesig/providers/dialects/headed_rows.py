"""Families whose calls have the name in a head, and then a JSON object with the arguments."""

from __future__ import annotations

from typesig.providers.dialects.dialect import Dialect, HeadForm, Marks
from typesig.providers.dialects.json_rows import LIST, MISTRAL_HEAD, THINK
from typesig.providers.dialects.prompt_templates import LLAMA_CPP, VLLM

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
