// SPDX-License-Identifier: Apache-2.0
//
// Runs in each page before the client does. It only watches and delays: it hears of every broken policy and of every
// text that is a key or a template instead of a sentence; it can keep back what the server sends, so that a screen
// stands still while it is looked at; and it remembers what was sent, so that a screen of few seconds can be looked at
// later: in a copy of the page, which hears the same frames again instead of a server.
export interface Memory {
  frames: string[]; // what the server sent over this connection, each in base64
  tab: Record<string, string>; // what the tab remembers
}
declare global {
  interface Window {
    seen: { faults: string[]; hold(on: boolean): void; memory(): Memory };
  }
}

export function watchPage(memory: Memory | null): void {
  const faults: string[] = [];
  const AREAS = 'app|board|code|common|db|dv|game|gone|happened|home|join|link|name|nb|note|option|picture|quick|reason|' +
    'refusal|room|rules|settings|turn';
  const KEY = new RegExp(`(?:^|[\\s"'(])(?:${AREAS})\\.[A-Za-z][\\w.-]*`);
  const RAW = /\{\w+(?::[^}]*)?\}|\bundefined\b|\bNaN\b|\[object |\bUNSPECIFIED\b|\b[A-Z]+_[A-Z_]+\b|[Rr]eason[ :#]*\d/;
  const judge = (text: string | null): void => {
    if (text && (KEY.test(text) || RAW.test(text)) && faults.length < 20)
      faults.push(`not a sentence: "${text.trim()}"`);
  };
  const READ = ['aria-label', 'title', 'alt', 'placeholder'];
  const look = (node: Node): void => {
    if (node instanceof Text) judge(node.data);
    if (!(node instanceof Element) || node.tagName === 'SCRIPT' || node.tagName === 'STYLE') return;
    for (const name of READ) judge(node.getAttribute(name));
    node.childNodes.forEach(look);
  };
  new MutationObserver((changes) => {
    for (const change of changes) {
      if (change.type === 'characterData') look(change.target);
      else if (change.type === 'attributes') judge((change.target as Element).getAttribute(change.attributeName ?? ''));
      else change.addedNodes.forEach(look);
    }
  }).observe(document, {
    subtree: true, childList: true, characterData: true, attributes: true, attributeFilter: READ,
  });
  document.addEventListener('securitypolicyviolation', (event) =>
    faults.push(`policy violated: ${event.violatedDirective} by ${event.blockedURI}`));

  // Frames that are kept back keep their order. Answers to pings pass: the line is well.
  const PONG = (11 << 3) | 2;
  let holding = false;
  let kept: (() => void)[] = [];
  let heard: ArrayBuffer[] = [];
  class Held extends WebSocket {
    constructor(url: string | URL) {
      super(url);
      heard = [];
    }
    override set onmessage(hear: ((this: WebSocket, event: MessageEvent) => unknown) | null) {
      super.onmessage = hear === null ? null : (event: MessageEvent<ArrayBuffer>): void => {
        const deliver = (): void => {
          heard.push(event.data);
          hear.call(this, event);
        };
        if (new Uint8Array(event.data)[0] === PONG) hear.call(this, event);
        else if (holding) kept.push(deliver);
        else deliver();
      };
    }
  }
  // Says what was heard once, when it is first spoken to; answers pings; else is silent.
  const PING = (10 << 3) | 2;
  class Recalled extends EventTarget {
    static readonly OPEN = 1;
    readyState = 0;
    binaryType = 'arraybuffer';
    onopen: (() => void) | null = null;
    onclose: (() => void) | null = null;
    onmessage: ((event: MessageEvent) => void) | null = null;
    private said = false;
    constructor() {
      super();
      setTimeout(() => {
        this.readyState = Recalled.OPEN;
        this.onopen?.();
      }, 0);
    }
    send(bytes: Uint8Array): void {
      const say = (data: ArrayBuffer): void => this.onmessage?.(new MessageEvent('message', { data }));
      const answers = bytes[0] === PING ? [Uint8Array.from([PONG, ...bytes.slice(1)])] : [];
      const frames = this.said ? [] : (memory?.frames ?? []).map((text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0)));
      this.said = true;
      setTimeout(() => [...frames, ...answers].forEach((frame) => say(frame.buffer)), 0);
    }
    close(): void {
      this.readyState = 3;
    }
  }
  if (memory !== null)
    for (const [key, value] of Object.entries(memory.tab)) sessionStorage.setItem(key, value);
  window.WebSocket = memory === null ? Held : (Recalled as unknown as typeof WebSocket);
  window.seen = {
    faults,
    hold(on: boolean): void {
      holding = on;
      if (on) return;
      const waiting = kept;
      kept = [];
      for (const deliver of waiting) deliver();
    },
    memory: () => ({
      frames: heard.map((data) => btoa(String.fromCharCode(...new Uint8Array(data)))),
      tab: { ...sessionStorage } as Record<string, string>,
    }),
  };
}
