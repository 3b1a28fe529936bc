// Python in a worker that can be stopped: what is pasted may never end.

// Milliseconds that an answer may take, once all is loaded.
export const TIME_LIMIT = 10_000;

export class Stopped extends Error {}

export class Python {
  // `tell` is called with {loading}, {ready} or {broken}.
  constructor(tell) {
    this.tell = tell;
    this.worker = null;
    // Counts the workers: a new one knows nothing of what was open in the one before.
    this.session = 0;
    this.waiting = new Map();
    this.next = 1;
    this.start();
  }

  start() {
    this.session += 1;
    // A worker from a blob has the Content-Security-Policy of the page, and so has pasted code: it
    // reaches nothing but this site.
    const script = `import ${JSON.stringify(new URL("worker.js", import.meta.url).href)};`;
    const url = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
    this.worker = new Worker(url, { type: "module" });
    this.worker.onmessage = ({ data }) => this.hear(data);
    this.worker.onerror = (event) => {
      event.preventDefault();
      this.hear({ broken: event.message || "its worker does not start" });
    };
  }

  // Returns the answer of play/page.py; raises Stopped if it took too long or Python ended.
  ask(request, modules = []) {
    if (!this.worker) return Promise.reject(new Stopped("it cannot start"));
    const id = this.next++;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject, timer: null });
      this.worker.postMessage({ id, request, modules });
    });
  }

  hear(data) {
    const asked = this.waiting.get(data?.id);
    if (data?.broken) {
      this.end(data.broken);
      this.tell(data);
    } else if (!asked) {
      if (data?.loading || data?.ready) this.tell(data);
    } else if (data.began) {
      asked.timer ??= setTimeout(
        () => this.stop(`It took more than ${TIME_LIMIT / 1000} seconds, so it was stopped.`),
        TIME_LIMIT,
      );
    } else if (data.failure !== undefined) {
      this.stop(`Python ended: ${data.failure.replace(/\.$/, "")}.`);
    } else {
      clearTimeout(asked.timer);
      this.waiting.delete(data.id);
      asked.resolve(data.answer);
    }
  }

  stop(why) {
    this.end(why);
    this.start();
  }

  end(why) {
    this.worker?.terminate();
    this.worker = null;
    for (const { reject, timer } of this.waiting.values()) {
      clearTimeout(timer);
      reject(new Stopped(why));
    }
    this.waiting.clear();
  }
}
