"""Families whose calls have a tag for each argument."""

from __future__ import annotations

from typesig.providers.dialects.dialect import Dialect, Marks, TagForm
from typesig.providers.dialects.prompt_templates import SGLANG, VLLM

_THINK = Marks("<think>", "</think>")
_TOOL_CALL = Marks("<tool_call>", "</tool_call>")
_CHATML = ("<|im_start|>assistant", "<|im_end|>")

#: How calls are spelt in XML, which models of other families write by mistake.
XML_TAGS = Dialect(
    "xml",
    "calls in XML",
    "",
    TagForm(('">', "'>"), '<parameter name="', ('">', "'>"), "", "</parameter>", "\n", "\n"),
    ('<function name="',),
    ("</function>",),
)
_EQUALS = TagForm((">",), "<parameter=", (">",), "", "</parameter>", "\n", "\n")

#: Calls with `<function=…>` and `<parameter=…>`, without marks around them.
EQUALS_TAGS = Dialect("equals", "calls in tags", "", _EQUALS, ("<function=",), ("</function>",))


def _make_equals_dialect(
    name: str, title: str, source: str, section: Marks, think: Marks
) -> Dialect:
    """Return a dialect with `<function=…>` and `<parameter=…>`."""
    return EQUALS_TAGS._replace(
        name=name,
        title=title,
        source=source,
        section=section,
        is_lone=True,
        between="\n",
        pad="\n",
        reasoning=(think,),
        others=_CHATML,
        siblings=(XML_TAGS,),
    )


def _make_glm_dialect(name: str, title: str, source: str, line: str) -> Dialect:
    """Make a dialect with GLM's tags; *line* is the text between tags."""
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


def _make_dsml_dialect(
    name: str, title: str, source: str, wrapper: str, space: str = ""
) -> Dialect:
    """Return a dialect of DeepSeek, with *space* within its tags."""
    tag, ends = f"｜DSML｜{space}", ('" string="true">', '" string="false">', '">')
    form = TagForm(
        ('">',), f'<{tag}parameter name="', ends, "", f"</{tag}parameter>", line="\n",
        data_end=ends[1],
    )  # fmt: skip
    section = Marks(f"<{tag}{wrapper}>", f"</{tag}{wrapper}>")
    marks = (f'<{tag}invoke name="',), (f"</{tag}invoke>",)
    # Wrong marks that models write, known from vLLM's tests of these parsers.
    names = ("function_calls", "tool_calls", "toolcalls", "tool_call", "tool", "tools", "calls")
    wrappers = tuple([Marks(f"<{tag}{each}>", f"</{tag}{each}>") for each in names])
    return Dialect(
        name, title, source, form, *marks, section, between="\n", pad="\n",
        others=("<｜end▁of▁sentence｜>",), wrappers=wrappers,
    )  # fmt: skip


def _make_invoke_dialect(name: str, title: str, source: str, section: Marks) -> Dialect:
    """Return a dialect with `<invoke name="…">`, whose quotes may be others or missing."""
    ends = ('">', "'>", ">")
    form = TagForm(ends, '<parameter name="', ends, "", "</parameter>", line="\n")
    opens = ('<invoke name="', "<invoke name='", "<invoke name=")
    return Dialect(
        name, title, source, form, opens, ("</invoke>",), section, between="\n", pad="\n"
    )


def _make_hunyuan_dialect(name: str, title: str, source: str, suffix: str) -> Dialect:
    """Return a dialect of Hunyuan, with a *suffix* in each of its tags."""
    form = TagForm(
        (f"<tool_sep{suffix}>",),
        f"<arg_key{suffix}>",
        (f"</arg_key{suffix}>",),
        f"<arg_value{suffix}>",
        f"</arg_value{suffix}>",
        line="",
    )
    return Dialect(
        name,
        title,
        source,
        form,
        (f"<tool_call{suffix}>",),
        (f"</tool_call{suffix}>",),
        Marks(f"<tool_calls{suffix}>", f"</tool_calls{suffix}>"),
        reasoning=tuple(dict.fromkeys((Marks(f"<think{suffix}>", f"</think{suffix}>"), _THINK))),
        others=(f"<answer{suffix}>", f"</answer{suffix}>"),
    )


_V32 = _make_dsml_dialect(
    "deepseek-v3.2", "DeepSeek V3.2", f"{VLLM}parser/deepseek_v32.py", "function_calls"
)
_V4 = _make_dsml_dialect("deepseek-v4", "DeepSeek V4", f"{VLLM}parser/deepseek_v4.py", "tool_calls")
_V41 = _make_dsml_dialect(
    "deepseek-v4.1", "DeepSeek V4.1", f"{VLLM}parser/deepseek_v41.py", "calls", " "
)

_HUNYUAN = _make_hunyuan_dialect(
    "hunyuan", "Hunyuan, HY V3", f"{VLLM}tool_parsers/hy_v3_tool_parser.py", ""
)
_HY_3 = _make_hunyuan_dialect(
    "hy-3", "HY 3, whose tags have a suffix", f"{SGLANG}hunyuan_detector.py", ":opensource"
)

DSML_ROWS = (
    _V32._replace(siblings=(_V41,)),
    _V4._replace(siblings=(_V41,)),
    _V41._replace(siblings=(_V4,)),
)

TAGGED_ROWS = (
    _make_equals_dialect(
        "qwen3-coder", "Qwen3-Coder", f"{SGLANG}qwen3_coder_detector.py", _TOOL_CALL, _THINK
    ),
    _make_equals_dialect(
        "qwen3.5", "Qwen 3.5, Step 3.5", f"{VLLM}parser/qwen3.py", _TOOL_CALL, _THINK
    ),
    _make_equals_dialect(
        "seed-oss",
        "Seed-OSS",
        f"{VLLM}parser/seed_oss.py",
        Marks("<seed:tool_call>", "</seed:tool_call>"),
        Marks("<seed:think>", "</seed:think>"),
    ),
    Dialect(
        "minicpm-5",
        "MiniCPM5",
        f"{SGLANG}minicpm5_detector.py",
        TagForm(('">', "'>"), '<param name="', ('">', "'>"), "", "</param>", has_cdata=True),
        ('<function name="', "<function name='"),
        ("</function>",),
        between="\n",
        others=_CHATML,
    ),
    _make_glm_dialect("glm-4.5", "GLM 4.5 and 4.6", f"{SGLANG}glm4_moe_detector.py", "\n"),
    _make_glm_dialect("glm-4.7", "GLM 4.7", f"{VLLM}parser/glm47_moe.py", ""),
    _HUNYUAN._replace(siblings=(_HY_3,)),
    _HY_3._replace(siblings=(_HUNYUAN,)),
    Dialect(
        "k2-horizon",
        "K2 Horizon",
        f"{VLLM}tool_parsers/k2_horizon_tool_parser.py",
        TagForm((), "<ifm|arg_key>", ("</ifm|arg_key>",), "<ifm|arg_value>", "</ifm|arg_value>"),
        ("<ifm|tool_call>",),
        ("</ifm|tool_call>",),
        Marks("<ifm|tool_calls>", "</ifm|tool_calls>"),
    ),
    _make_invoke_dialect(
        "minimax-m2",
        "MiniMax M2",
        f"{VLLM}parser/minimax_m2.py",
        Marks("<minimax:tool_call>", "</minimax:tool_call>"),
    ),
    _make_invoke_dialect(
        "dots",
        "dots",
        f"{SGLANG}dots_detector.py",
        Marks("<dots_function_call>", "</dots_function_call>"),
    ),
    Dialect(
        "step3",
        "Step3",
        f"{SGLANG}step3_detector.py",
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
)
