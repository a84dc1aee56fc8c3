import { html, page, problemNote, type FileResponse, type FormProblem, type Html, type Project } from '../../../kit/index.js';
import { CONSOLE_PATHS } from '../../config/console-paths.js';
import { returnsTo } from '../clients/client-metadata.js';
import type { PendingRequest } from '../server/oauth-server.js';
import { DEFAULT_END, ENDS, type ConsentBody } from './consent.dto.js';
import type { OfferedModule, OfferedScope } from './offered-scopes.js';

export interface ConsentView {
  request: PendingRequest;
  organization: string;
  member: { name: string; email: string };
  csrfToken: string;
  modules: readonly OfferedModule[];
  projects: readonly Project[];
  /** The submitted form, if it has to be corrected. */
  sent?: ConsentBody;
  problems?: readonly FormProblem[];
  switchAccount: string;
}

const PURPOSE = 'Connect an app';

const STYLE = `
.host { font: 650 clamp(1.5rem, 1.2rem + 1.2vw, 1.875rem)/1.25 var(--sans); letter-spacing: -.02em; margin: 0 0 .75rem;
  overflow-wrap: anywhere; }
.claim { border-left: .25rem solid var(--bad); padding-left: .875rem; }
.claim.proven { border-color: var(--good); }
.module { position: relative; margin: 1rem 0 0; border: 1px solid var(--line); border-radius: .75rem; padding: .25rem 1rem .625rem; }
.module legend { float: left; width: 100%; padding: .5rem 0; margin: 0; font-weight: 600; }
.module legend ~ .choices { clear: both; }
.pick { position: absolute; top: .5rem; right: 1rem; display: flex; gap: .375rem; align-items: center;
  color: var(--soft); font-size: .875rem; }
.pick.pick button { min-height: 1.75rem; padding: .125rem .625rem; font-size: .8125rem; border-radius: .4375rem; }
.module .choice { padding: .25rem 0; break-inside: avoid; }
.module .choice label { font-size: .875rem; }
@media (min-width: 48rem) { .choices { columns: 2; gap: 1.5rem; } }
.asks { border-top: 1px solid var(--line); margin: 0 0 1.25rem; padding-top: .875rem; }
.tag { display: inline-block; font-size: .75rem; font-weight: 600; color: var(--bad); background: var(--bad-tint);
  border-radius: .375rem; padding: 0 .4375rem; white-space: nowrap; }
.tag.outside { color: var(--ink); background: var(--tint); }
.answers { display: grid; grid-template-columns: 1fr 1fr; gap: .875rem; }
.answers button { width: 100%; }`;

/** Search, and all or none of a module; without it the boxes remain. */
const SCRIPT = `
for (const element of document.querySelectorAll('.pick, .find')) element.hidden = false;
const boxesOf = (module) => [...module.querySelectorAll('input:not(:disabled)')];
const count = (module) => {
  const boxes = boxesOf(module);
  module.querySelector('.pick span').textContent = boxes.filter(({ checked }) => checked).length + ' of ' + boxes.length;
};
for (const module of document.querySelectorAll('.module')) {
  count(module);
  module.addEventListener('change', () => count(module));
  for (const button of module.querySelectorAll('button')) button.addEventListener('click', () => {
    for (const box of boxesOf(module)) box.checked = button.value === 'all';
    count(module);
  });
}
const find = document.getElementById('find');
find?.addEventListener('keydown', (event) => { if (event.key === 'Enter') event.preventDefault(); });
find?.addEventListener('input', () => {
  const words = find.value.toLowerCase().split(/\\s+/);
  for (const module of document.querySelectorAll('.module')) {
    const title = module.querySelector('legend').textContent + ' ';
    const choices = [...module.querySelectorAll('.choice')];
    for (const choice of choices) {
      const text = (title + choice.textContent).toLowerCase();
      choice.hidden = !words.every((word) => text.includes(word));
    }
    module.hidden = choices.every(({ hidden }) => hidden);
  }
});`;

const SEARCH = html`<p class="find" hidden><input type="search" id="find" aria-label="Find a permission" placeholder="Find a permission"
autocomplete="off"></p>`;

/** Asks the member which access the app gets. The scopes that it names are preselected; nothing else is. */
export function consentPage(view: ConsentView): FileResponse {
  const { request, organization, member, modules, projects, sent, problems = [], csrfToken } = view;
  const isTicked = ({ scope, lacking }: OfferedScope) =>
    lacking === null && (sent === undefined ? request.namesScopes : Object.hasOwn(sent.scope ?? {}, scope));
  const ends = Object.entries(ENDS).map(([value, label]) => option(value, label, sent?.ends ?? DEFAULT_END));
  const mode = (value: string, label: string, hint: string) => html`<div class="choice">
<input type="radio" id="mode-${value}" name="mode" value="${value}" required${sent?.mode === value && html` checked`}>
<label for="mode-${value}"><b>${label}</b> <span class="soft">${hint}</span></label></div>`;
  return page({
    title: PURPOSE,
    host: { name: organization, purpose: PURPOSE },
    status: problems.length > 0 ? 400 : 200,
    style: STYLE,
    isConsole: true,
    script: SCRIPT,
    body: html`<h1>An app asks for access</h1>
${problemNote('Please correct this', problems)}
${clientCard(request)}
<p>You are signed in as <b><bdi>${member.name}</bdi></b> (${member.email}) of <b><bdi>${organization}</bdi></b>. The app will act for you.
<a href="${view.switchAccount}">Use another account</a></p>
<form method="post" class="card">
<input type="hidden" name="csrf" value="${csrfToken}">
<fieldset id="scopes"><legend>What the app may do</legend>
<p class="hint">${request.namesScopes ? 'Untick what it does not need.' : 'It names no permissions. Tick what it needs.'}</p>
${modules.length > 1 && SEARCH}
${modules.map((module) => moduleScopes(module, isTicked))}
</fieldset>
<fieldset id="mode"><legend>Which data</legend>
${mode('test', 'Test', 'separate data to experiment with; nothing is mailed or charged')}
${mode('live', 'Live', 'the real data of your organization')}
</fieldset>
<div class="field"><label for="project">Projects</label>
<select id="project" name="project">
<option value="">All projects</option>
${projects.map(({ id, key, name }) => option(id, `Only ${name} (${key})`, sent?.project))}</select></div>
<div class="field"><label for="ends">Access ends</label>
<select id="ends" name="ends">${ends}</select></div>
<div class="choice asks"><input type="checkbox" id="asks" name="asks" value="on"${sent?.asks === 'on' && html` checked`}>
<label for="asks"><b>Ask before sending or deleting</b><br>
<span class="soft">Calls that delete, replace, end or send something, ask a model or a provider of payments, or let outsiders in run only
after the app has shown you what they will do.</span></label></div>
<div class="answers"><button name="decision" value="cancel" class="quiet" formnovalidate>Cancel</button>
<button name="decision" value="authorize">Authorize</button></div>
</form>
<p class="hint">The connection appears among your organization's API keys. Whoever manages them can end it there at any time.</p>`,
  });
}

function clientCard({ clientId, clientName, identity, redirectUri }: PendingRequest): Html {
  const { kind, text } = returnsTo(redirectUri);
  const name = clientName === null ? html`It gives no name.` : html`It calls itself “<b>${clientName}</b>”.`;
  const target = {
    host: html`<p class="hint">Access goes to</p><p class="host">${text}</p>`,
    loopback: html`<p class="hint">Access goes to</p><p class="host">a program on this computer</p>`,
    app: html`<p class="hint">Access goes to an app on this device, which opens links that begin with</p><p class="host">${text}</p>`,
  }[kind];
  const advice = {
    host: html`Continue only if you know this address and have just started to connect it.`,
    loopback: html`Every program on this computer can ask like this. Continue only if you have just started to connect one.`,
    app: html`Any app can claim such links. Continue only if you have just started to connect one on this device.`,
  }[kind];
  const claim = {
    document: () =>
      html`<p class="claim proven"><b>Verified:</b> the app is published by <b>${new URL(clientId).host}</b>. ${name} ${advice}</p>`,
    operator: () => html`<p class="claim proven"><b>Known:</b> whoever runs this service has registered the app. ${name} ${advice}</p>`,
    none: () => html`<p class="claim"><b>Unverified.</b> ${name} Anyone can choose any name. ${advice}</p>`,
  }[identity]();
  return html`<section class="card" aria-label="The app">${target}${claim}</section>`;
}

function option(value: string, label: string, selected: string | undefined): Html {
  return html`<option value="${value}"${value === selected && html` selected`}>${label}</option>`;
}

function moduleScopes({ title, scopes }: OfferedModule, isTicked: (scope: OfferedScope) => boolean): Html {
  const choices = scopes.map((scope) => scopeChoice(scope, isTicked(scope)));
  return html`<fieldset class="module"><legend>${title}</legend>
<div class="pick" hidden><span></span><button type="button" class="quiet" value="all" aria-label="All of ${title}">All</button>
<button type="button" class="quiet" value="none" aria-label="None of ${title}">None</button></div>
<div class="choices">${choices}</div></fieldset>`;
}

function scopeChoice({ scope, text, isDestructive, reachesOutside, lacking }: OfferedScope, isTicked: boolean): Html {
  const id = `scope-${scope.replaceAll(':', '-')}`;
  const state = html`${isTicked && html` checked`}${lacking !== null && html` disabled`}`;
  const input = html`<input type="checkbox" id="${id}" name="scope.${scope}"${state}>`;
  return html`<div class="choice">${input}<label for="${id}">${text}${
    isDestructive && html` <span class="tag">deletes, replaces or ends</span>`
  }${
    reachesOutside && html` <span class="tag outside">reaches outside the suite</span>`
  }${lacking !== null && html`<br><span class="soft">You cannot give this: your role lacks ${lacking}.</span>`}</label></div>`;
}

/**
 * Leads back to the app. A redirect in response to the form would be blocked by the policy for forms in browsers that apply it to
 * redirects; a refresh is a navigation of its own. Apps that browsers open only on a click have the link.
 */
export function returnPage(organization: string, location: string, isAuthorized: boolean): FileResponse {
  const { kind, text } = returnsTo(location);
  const to = kind === 'host' ? text : 'the app';
  const heading = isAuthorized ? 'The app is connected' : 'Nothing was connected';
  return page({
    title: heading,
    host: { name: organization, purpose: PURPOSE },
    isConsole: true,
    body: html`<section class="card"><h1>${heading}</h1>
<p>You are on your way back to ${to}. If nothing happens, use the button.</p>
<p><a class="button" href="${location}">Return to ${to}</a></p></section>`,
    headers: { Refresh: `0; url=${location}` },
  });
}

export function notAllowedPage(organization: string, names: readonly string[], switchAccount: string): FileResponse {
  return page({
    title: 'You cannot connect apps',
    host: { name: organization, purpose: PURPOSE },
    status: 403,
    isConsole: true,
    body: html`<section class="card"><h1>You cannot connect apps</h1>
<p>Your role lacks the permission <code>org.developer.apikeys.manage</code>.
${names.length > 0 && html`These members of ${organization} have it: ${names.join(', ')}.`}</p>
<p><a href="${switchAccount}">Use another account</a></p></section>`,
  });
}

export function secondFactorPage(organization: string): FileResponse {
  return page({
    title: 'Set up a second factor first',
    host: { name: organization, purpose: PURPOSE },
    status: 403,
    isConsole: true,
    body: html`<section class="card"><h1>Set up a second factor first</h1>
<p>${organization} requires one of everybody who can connect apps. Set it up, then return to this page and reload it; it is valid for
an hour.</p>
<p><a class="button" href="${CONSOLE_PATHS.account}">Set up a second factor</a></p></section>`,
  });
}

export function expiredPage(): FileResponse {
  return page({
    title: 'This request is no longer valid',
    host: null,
    status: 410,
    isConsole: true,
    body: html`<section class="card"><h1>This request is no longer valid</h1>
<p>It was answered before, is older than an hour, or was started in another browser. Start again in the app.</p></section>`,
  });
}
