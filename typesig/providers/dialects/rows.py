"""The dialects of the families of open models, one row each."""

from __future__ import annotations

from typesig.errors import TypesigError, short
from typesig.providers.dialects.dialect import (
    BareForm,
    Dialect,
    HeadForm,
    JsonForm,
    Marks,
    PythonForm,
    TagForm,
)
from typesig.providers.dialects.turns import LISTINGS, LLAMA_CPP, RESULTS

_VLLM = "github.com/vllm-project/vllm, vllm/"
_SGLANG = "github.com/sgl-project/sglang, python/sglang/srt/function_call/"

_THINK = Marks("<think>", "</think>")
_TOOL_CALL = Marks("<tool_call>", "</tool_call>")
_TOOL_CALLS = Marks("<tool_calls>", "</tool_calls>")
_DEEPSEEK = Marks("<｜tool▁calls▁begin｜>", "<｜tool▁calls▁end｜>")

_LIST = JsonForm(is_list=True)
_CHATML = ("<|im_start|>assistant", "<|im_end|>")


def _equals_tags(name: str, title: str, source: str, section: Marks, think: Marks) -> Dialect:
    """Return a dialect with `<function=…>` and `<parameter=…>`."""
    form = TagForm((">",), "<parameter=", (">",), "", "</parameter>", "\n", "\n")
    return Dialect(
        name,
        title,
        source,
        form,
        ("<function=",),
        ("</function>",),
        section,
        is_lone=True,
        between="\n",
        pad="\n",
        reasoning=(think,),
        others=_CHATML,
    )


def _glm(name: str, title: str, source: str, line: str) -> Dialect:
    form = TagForm(
        (line, "\\n") if line else (),
        "<arg_key>",
        ("</arg_key>",),
        "<arg_value>",
        "</arg_value>",
        line=line,
        fillers=("\\n",),
    )
    marks = ("<tool_call>",), ("</tool_call>",)
    return Dialect(name, title, source, form, *marks, between=line, others=("<|observation|>",))


def _deepseek(name: str, title: str, source: str, form: HeadForm, between: str) -> Dialect:
    marks = ("<｜tool▁call▁begin｜>",), ("<｜tool▁call▁end｜>",)
    others = ("<｜tool▁sep｜>", "<｜end▁of▁sentence｜>")
    return Dialect(name, title, source, form, *marks, _DEEPSEEK, between=between, others=others)


def _dsml(name: str, title: str, source: str, wrapper: str) -> Dialect:
    ends = ('" string="true">', '" string="false">', '">')
    form = TagForm(
        ('">',), '<｜DSML｜parameter name="', ends, "", "</｜DSML｜parameter>", line="\n",
        data_end=ends[1],
    )  # fmt: skip
    section = Marks(f"<｜DSML｜{wrapper}>", f"</｜DSML｜{wrapper}>")
    marks = ('<｜DSML｜invoke name="',), ("</｜DSML｜invoke>",)
    others = ("<｜end▁of▁sentence｜>",)
    return Dialect(
        name, title, source, form, *marks, section, between="\n", pad="\n", others=others
    )


_ROWS = (
    Dialect(
        "hermes",
        "Hermes 2 and 3, Qwen 2.5 and 3, Granite 4",
        f"{_VLLM}tool_parsers/hermes_tool_parser.py",
        JsonForm(),
        ("<tool_call>",),
        ("</tool_call>",),
        between="\n",
        pad="\n",
        others=_CHATML,
    ),
    Dialect(
        "granite-3.0",
        "Granite 3.0",
        f"{_VLLM}parser/granite.py",
        _LIST,
        ("<|tool_call|>",),
        reasoning=(),
        others=("<|end_of_text|>",),
    ),
    Dialect(
        "granite-3.1",
        "Granite 3.1 to 3.3",
        f"{_VLLM}parser/granite.py",
        _LIST,
        ("<tool_call>",),
        reasoning=(),
        others=("<|end_of_text|>",),
    ),
    Dialect(
        "jamba",
        "Jamba, Hunyuan A13B",
        f"{_VLLM}tool_parsers/jamba_tool_parser.py",
        _LIST,
        ("<tool_calls>",),
        ("</tool_calls>",),
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
        f"{_SGLANG}internlm_detector.py",
        JsonForm(arguments=("parameters", "arguments")),
        ("<|action_start|><|plugin|>", "<|action_start|> <|plugin|>"),
        ("<|action_end|>",),
        between="\n",
        pad="\n",
    ),
    Dialect(
        "phi-4-mini",
        "Phi-4-mini",
        f"{_VLLM}tool_parsers/phi4mini_tool_parser.py",
        _LIST,
        ("functools[", "<|tool_call|>"),
        ("<|/tool_call|>",),
        reasoning=(),
        others=("<|end|>",),
    ),
    Dialect(
        "xlam",
        "xLAM",
        f"{_VLLM}tool_parsers/xlam_tool_parser.py",
        _LIST,
        ("[TOOL_CALLS]", "<tool_call>"),
        ("</tool_call>",),
        bare="[",
    ),
    Dialect(
        "llama-json",
        "Llama 3.1 to 3.3, JSON",
        f"{_VLLM}tool_parsers/llama_tool_parser.py",
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
        f"{_VLLM}tool_parsers/pythonic_tool_parser.py",
        PythonForm(),
        ("<|python_start|>",),
        ("<|python_end|>",),
        bare="[",
        reasoning=(),
        others=("<|eom_id|>", "<|eot_id|>", "<end_of_turn>"),
    ),
    Dialect(
        "mistral",
        "Mistral, tokenizer v11 and later",
        f"{_VLLM}parser/mistral.py",
        HeadForm("{name}[ARGS]{arguments}", ("[CALL_ID]", "[ARGS]"), id_after="[CALL_ID]"),
        ("[TOOL_CALLS]",),
        reasoning=(Marks("[THINK]", "[/THINK]"), _THINK),
        others=("[ARGS]", "[CALL_ID]", "</s>"),
        open_reasoning=True,
        ids="call{index:05}",
    ),
    Dialect(
        "mistral-json",
        "Mistral, tokenizers before v11",
        f"{_VLLM}parser/mistral.py",
        _LIST,
        ("[TOOL_CALLS]",),
        reasoning=(),
        others=("</s>",),
        ids="call{index:05}",
    ),
    _deepseek(
        "deepseek-v3",
        "DeepSeek V3 and R1",
        f"{_VLLM}tool_parsers/deepseekv3_tool_parser.py",
        HeadForm(
            "function<｜tool▁sep｜>{name}\n```json\n{arguments}\n```",
            ("<｜tool▁sep｜>",),
            name_at=1,
        ),
        "\n",
    ),
    _deepseek(
        "deepseek-v3.1",
        "DeepSeek V3.1",
        f"{_VLLM}tool_parsers/deepseekv31_tool_parser.py",
        HeadForm("{name}<｜tool▁sep｜>{arguments}", ("<｜tool▁sep｜>",)),
        "",
    ),
    _dsml("deepseek-v3.2", "DeepSeek V3.2", f"{_VLLM}parser/deepseek_v32.py", "function_calls"),
    _dsml("deepseek-v4", "DeepSeek V4", f"{_VLLM}parser/deepseek_v4.py", "tool_calls"),
    _equals_tags(
        "qwen3-coder",
        "Qwen3-Coder",
        f"{_SGLANG}qwen3_coder_detector.py",
        _TOOL_CALL,
        _THINK,
    ),
    _equals_tags("qwen3.5", "Qwen 3.5, Step 3.5", f"{_VLLM}parser/qwen3.py", _TOOL_CALL, _THINK),
    _equals_tags(
        "seed-oss",
        "Seed-OSS",
        f"{_VLLM}parser/seed_oss.py",
        Marks("<seed:tool_call>", "</seed:tool_call>"),
        Marks("<seed:think>", "</seed:think>"),
    ),
    _glm("glm-4.5", "GLM 4.5 and 4.6", f"{_SGLANG}glm4_moe_detector.py", "\n"),
    _glm("glm-4.7", "GLM 4.7", f"{_VLLM}parser/glm47_moe.py", ""),
    Dialect(
        "hunyuan",
        "Hunyuan, HY V3",
        f"{_VLLM}tool_parsers/hy_v3_tool_parser.py",
        TagForm(
            ("<tool_sep>",), "<arg_key>", ("</arg_key>",), "<arg_value>", "</arg_value>", line=""
        ),
        ("<tool_call>",),
        ("</tool_call>",),
        _TOOL_CALLS,
    ),
    Dialect(
        "minimax-m2",
        "MiniMax M2",
        f"{_VLLM}parser/minimax_m2.py",
        TagForm(('">',), '<parameter name="', ('">',), "", "</parameter>", line="\n"),
        ('<invoke name="',),
        ("</invoke>",),
        Marks("<minimax:tool_call>", "</minimax:tool_call>"),
        between="\n",
        pad="\n",
    ),
    Dialect(
        "step3",
        "Step3",
        f"{_SGLANG}step3_detector.py",
        TagForm(
            ('">',), '<steptml:parameter name="', ('">',), "", "</steptml:parameter>", line="\n"
        ),
        (
            '<｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name="',
            '<steptml:invoke name="',
        ),
        ("</steptml:invoke><｜tool_call_end｜>", "</steptml:invoke>"),
        Marks("<｜tool_calls_begin｜>", "<｜tool_calls_end｜>"),
        others=("<｜tool_call_begin｜>", "<｜tool_call_end｜>", "<｜tool_sep｜>"),
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
    ),
    Dialect(
        "harmony",
        "gpt-oss",
        "github.com/openai/openai-cookbook, articles/openai-harmony.md",
        HeadForm(
            "functions.{name} <|constrain|>json<|message|>{arguments}",
            ("<|channel|>", "<|constrain|>", "<|message|>"),
            prefix="functions.",
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
        ),
    ),
    Dialect(
        "cohere",
        "Command R7B and A",
        f"{_VLLM}parser/cohere_command.py",
        JsonForm(("tool_name",), ("parameters",), ("tool_call_id",), is_list=True),
        ("<|START_ACTION|>",),
        ("<|END_ACTION|>",),
        reasoning=(Marks("<|START_THINKING|>", "<|END_THINKING|>"),),
        others=(
            "<|START_RESPONSE|>",
            "<|END_RESPONSE|>",
            "<|START_TEXT|>",
            "<|END_TEXT|>",
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
        others=("<|END_OF_TURN_TOKEN|>",),
        idle="directly-answer",
    ),
    Dialect(
        "functiongemma",
        "FunctionGemma",
        f"{_VLLM}tool_parsers/functiongemma_tool_parser.py",
        BareForm("call:", "<escape>"),
        ("<start_function_call>",),
        ("<end_function_call>",),
        reasoning=(),
        others=("<start_function_response>", "<end_of_turn>"),
    ),
    Dialect(
        "gemma-4",
        "Gemma 4",
        f"{_VLLM}parser/gemma4.py",
        BareForm("call:", '<|"|>'),
        ("<|tool_call>",),
        ("<tool_call|>",),
        reasoning=(Marks("<|channel>thought\n", "<channel|>"),),
        others=("<|tool_response>", "<turn|>"),
    ),
)  # fmt: skip

#: The dialects by name.
DIALECTS: dict[str, Dialect] = {
    row.name: row._replace(listing=LISTINGS.get(row.name), results=RESULTS.get(row.name))
    for row in _ROWS
}


def dialect_of(name: object) -> Dialect:
    """Return the dialect *name*, or itself if it is one; raise `TypesigError` if there is none."""
    if isinstance(name, Dialect):
        return name
    if isinstance(name, str) and name in DIALECTS:
        return DIALECTS[name]
    raise TypesigError(f"there is no dialect {short(name)}; there are {', '.join(DIALECTS)}")
