// SPDX-License-Identifier: Apache-2.0
//
// Runs in each page before the client does. It only watches and delays: it hears of every broken policy and of every
// text that is a key or a template instead of a sentence, and it can keep back what the server sends, so that a
// screen of few seconds stands still while it is looked at.
declare global {
  interface Window {
    seen: { faults: string[]; hold(on: boolean): void };
  }
}

export function watchPage(): void {
  const faults: string[] = [];
  const AREAS = 'app|board|code|common|dv|game|gone|happened|home|join|link|name|nb|note|option|quick|reason|room|rules|' +
    'settings|turn';
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
  class Held extends WebSocket {
    override set onmessage(hear: ((this: WebSocket, event: MessageEvent) => unknown) | null) {
      super.onmessage = hear === null ? null : (event): void => {
        const pong = event.data instanceof ArrayBuffer && new Uint8Array(event.data)[0] === PONG;
        if (holding && !pong) kept.push(() => hear.call(this, event));
        else hear.call(this, event);
      };
    }
  }
  window.WebSocket = Held;
  window.seen = {
    faults,
    hold(on: boolean): void {
      holding = on;
      if (on) return;
      const waiting = kept;
      kept = [];
      for (const deliver of waiting) deliver();
    },
  };
}
