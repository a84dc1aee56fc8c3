import { html, type Html } from '../../kit/index.js';
import type { RequestLogDto } from '../../platform/request-log/request-logs.dto.js';
import { badge, statusBadge } from '../components/badge.js';
import { codeBlock, refreshRegion } from '../components/blocks.js';
import { timeOf } from '../components/times.js';
import type { Visit } from '../frame/visit.js';
import { exampleCall } from '../keys/key-texts.js';
import { step } from './step.js';
import type { WelcomeState } from './welcome-state.js';

const REGION = 'first-call';

/** The first call and its log entry, which appears automatically with scripts. */
export function firstCall(
  visit: Visit,
  { testKey, call, refused }: Pick<WelcomeState, 'testKey' | 'call' | 'refused'>,
  secret?: string,
): Html {
  const log = visit.can('org.developer.logs.view')
    ? arrival(visit, { testKey, call, refused })
    : html`<p class="soft">Your role does not open the log of requests.</p>`;
  const isMade = call !== null;
  const body = command(visit, testKey, secret);
  return html`${step({ number: 3, title: 'Make your first call', body, isDone: isMade, isNow: testKey !== null })}
${step({ number: 4, title: 'See it here', body: log, isDone: isMade })}`;
}

function arrival(visit: Visit, { testKey, call, refused }: Pick<WelcomeState, 'testKey' | 'call' | 'refused'>): Html {
  // the script finds the content that replaces the waiting message by this id
  if (call) return html`<div id="${REGION}">${seen(visit, call, badge('It arrived', 'good'))}</div>`;
  if (!testKey) return html`<p class="soft">The call appears here by itself.</p>`;
  const body = refused
    ? html`${seen(visit, refused, badge('It was refused', 'warn'))}<p class="soft">Its page says why. The next one appears here.</p>`
    : html`<p role="status">Waiting for your first call.</p>`;
  return refreshRegion({ id: REGION, here: visit.link('/welcome'), body, isLive: true });
}

function command(visit: Visit, testKey: WelcomeState['testKey'], secret: string | undefined): Html {
  const example = testKey && exampleCall(visit.site, testKey.scopes, secret);
  if (example === null) return html`<p class="soft">Make a test key first: the command appears here.</p>`;
  const put = secret === undefined && html` Put the secret of your key in place of <code>$SVC_KEY</code>.`;
  return html`<p class="soft">Paste it into a terminal. It reads, and changes nothing.${put}</p>${codeBlock(example, {
    id: 'call',
    label: 'First call',
  })}`;
}

function seen(visit: Visit, call: RequestLogDto, outcome: Html): Html {
  return html`<p role="status">${outcome} ${timeOf(call.created_at, { seconds: true })}</p>
<p><a href="${visit.link(`/logs/${call.id}`)}"><code>${call.method} ${call.route ?? 'unknown path'}</code></a>
${statusBadge(call.status)}</p>`;
}
