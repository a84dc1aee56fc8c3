/** The page at /dev/webhooks; it polls for new deliveries every second. */
export const ECHO_PAGE = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Webhooks received - Work suite</title>
<style>
:root{color-scheme:light dark;--line:#8884;--ok:#16794a;--bad:#b42318}
@media (prefers-color-scheme:dark){:root{--ok:#4cc38a;--bad:#ff8a80}}
body{font:16px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:64rem;padding:0 1rem}
h1{font-size:1.5rem;margin:0 0 .25rem}p{margin:.25rem 0 1.25rem}
ol{list-style:none;margin:0;padding:0}li{border-top:1px solid var(--line)}
summary{display:grid;grid-template-columns:7rem 1fr 4rem 9rem;gap:1rem;padding:.6rem .25rem;cursor:pointer;align-items:baseline}
summary b{font-weight:600;overflow-wrap:anywhere}.ok{color:var(--ok)}.bad{color:var(--bad)}
pre,code{font:13px/1.5 ui-monospace,monospace}
pre{overflow:auto;margin:0 0 1rem;padding:.75rem;border:1px solid var(--line);border-radius:.4rem}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.1rem 1rem;margin:.25rem .25rem .75rem;font-size:.9rem}
dd{margin:0;overflow-wrap:anywhere}
@media (max-width:40rem){summary{grid-template-columns:1fr 1fr}}
</style></head>
<body><main>
<h1>Webhooks received</h1>
<p>This page is a webhook receiver in the development server. The demo has an endpoint for each mode that points to it,
so it receives a signed delivery for every change you make.</p>
<p id="state" role="status">Waiting for the first delivery ...</p>
<ol id="list"></ol>
</main>
<script>
const list = document.getElementById('list');
const state = document.getElementById('state');
let newest = '';
function element(name, text, className) {
  const node = document.createElement(name);
  node.textContent = text;
  if (className) node.className = className;
  return node;
}
function row(echo) {
  const item = document.createElement('li');
  const details = document.createElement('details');
  const summary = document.createElement('summary');
  summary.append(
    element('span', new Date(echo.received_at).toLocaleTimeString()),
    element('b', echo.type),
    element('span', echo.mode),
    element('span', echo.verified ? '\\u2713 signature valid' : '\\u2717 signature invalid', echo.verified ? 'ok' : 'bad'),
  );
  const facts = document.createElement('dl');
  for (const [name, value] of [['Svc-Event-Id', echo.event_id], ['Svc-Event-Type', echo.type], ['Svc-Signature', echo.signature]]) {
    const definition = document.createElement('dd');
    definition.append(element('code', value));
    facts.append(element('dt', name), definition);
  }
  details.append(summary, facts, element('pre', echo.body));
  item.append(details);
  return item;
}
async function refresh() {
  try {
    const { received } = await (await fetch('/dev/webhooks/received')).json();
    const mark = received.length > 0 ? received[0].event_id + received[0].received_at : '';
    if (mark === newest) return;
    const known = received.findIndex((echo) => echo.event_id + echo.received_at === newest);
    list.prepend(...received.slice(0, known < 0 ? received.length : known).map(row));
    newest = mark;
    state.textContent = 'The last ' + received.length + ' deliveries, newest first.';
  } catch {
    state.textContent = 'The server does not respond.';
  }
}
refresh();
setInterval(refresh, 1000);
</script></body></html>
`;
