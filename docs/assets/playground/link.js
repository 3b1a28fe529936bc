// The state of the page as the fragment of a link, compressed, and back.  A fragment stays in the
// browser: no server is sent it.

const MARK = "v1=";

// Characters of a fragment: mail, chats and trackers cut longer links.
export const MAX_LINK = 12_000;

// Characters of a state that is read from a link: a small link could unpack to a huge one.
const MAX_STATE = 400_000;

const FIELDS = ["kind", "source", "name", "sent", "mode", "form", "version"];

export async function toFragment(state) {
  const kept = Object.fromEntries(FIELDS.map((name) => [name, String(state[name] ?? "")]));
  const bytes = new TextEncoder().encode(JSON.stringify({ ...kept, call: state.call === true }));
  const packed = await through(bytes, new CompressionStream("deflate-raw"), Infinity);
  const fragment = MARK + toBase64(packed);
  if (fragment.length > MAX_LINK) {
    throw new Error(
      `this is too long for a link: it would have ${count(fragment.length)} characters, and may ` +
        `have ${count(MAX_LINK)}. Shorten the texts, or send them as a file.`,
    );
  }
  return fragment;
}

// Returns the state of a fragment, or null if the fragment is of something else.
export async function fromFragment(fragment) {
  if (!fragment.startsWith(MARK)) return null;
  if (fragment.length > MAX_LINK) throw new Error("it is too long");
  let state;
  try {
    const bytes = fromBase64(fragment.slice(MARK.length));
    const plain = await through(bytes, new DecompressionStream("deflate-raw"), MAX_STATE);
    state = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(plain));
  } catch (error) {
    throw new Error(error.message === TOO_LARGE ? TOO_LARGE : "a part of it is missing or changed");
  }
  if (FIELDS.some((name) => typeof state?.[name] !== "string")) {
    throw new Error("it does not have what this page needs");
  }
  const kept = Object.fromEntries(FIELDS.map((name) => [name, state[name]]));
  return { ...kept, call: state.call === true };
}

const TOO_LARGE = "what it holds is too large";

async function through(bytes, transform, limit) {
  const chunks = [];
  let size = 0;
  const stream = new Blob([bytes]).stream().pipeThrough(transform);
  for (const reader = stream.getReader(); ; ) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > limit) {
      await reader.cancel();
      throw new Error(TOO_LARGE);
    }
    chunks.push(value);
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}

function toBase64(bytes) {
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function fromBase64(text) {
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}

function count(number) {
  return number.toLocaleString("en");
}
