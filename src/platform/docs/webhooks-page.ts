import { readFileSync } from 'node:fs';
import { ANSWER_BYTES } from '../webhooks/sending/post.js';
import type { WebhookSettings } from '../webhooks/sending/webhook-settings.js';
import { escapeHtml } from '../../kit/index.js';
import { page } from './page.js';

/** Whole programs, run by the tests. */
const RECEIVERS = [
  ['TypeScript', 'receiver.ts'],
  ['Python', 'receiver.py'],
  ['Go', 'receiver.go'],
] as const;

/** What whoever receives webhooks has to know. */
export function webhooksPage({ timeoutMs, attempts, schedule, disableAfterHours, retentionDays, targets }: WebhookSettings): string {
  const seconds = (ms: number) => `${ms / 1000} s`;
  return page(
    'Receiving webhooks',
    `<p>Members who may manage webhooks set endpoints up at <code>/api/v1/org/developer/webhook-endpoints</code>; the signing secret
      is shown once.
What each event carries stands in the section <code>webhooks</code> of <a href="/openapi.json">/openapi.json</a>;
<code>/api/v1/org/developer/event-types</code> lists the types, and
<code>/api/v1/org/developer/deliveries</code> shows what was sent, with every attempt and its answer, for ${retentionDays} days.</p>

<h2 id="requests">What arrives</h2>
<p>A POST with the event as JSON and these headers:</p>
<table><tbody>
<tr><th scope="row"><code>Svc-Signature</code></th><td><code>t=&lt;seconds&gt;,v1=&lt;hex&gt;</code>: HMAC-SHA256 with the
endpoint's secret over <code>&lt;seconds&gt;.&lt;raw body&gt;</code>; a second <code>v1=</code> while a rolled secret still holds</td></tr>
<tr><th scope="row"><code>Svc-Event-Id</code></th><td>the event's id, the same in every attempt and resend</td></tr>
<tr><th scope="row"><code>Svc-Event-Type</code></th><td>the event's type</td></tr>
<tr><th scope="row"><code>User-Agent</code></th><td><code>Svc-Webhooks/1.0</code></td></tr>
</tbody></table>
<p>Compute the signature over the bytes as they came: parsed and written again, they may be others. Compare in constant time, and
refuse a <code>t</code> that is more than five minutes from now.
A resend is signed anew. Any library that verifies headers of the form <code>t=...,v1=...</code> will do, Stripe's among them.</p>

<h2 id="answers">What to answer</h2>
<ul>
<li>Any 2xx is a success, if the answer is complete within ${seconds(timeoutMs)}, connecting included. Store the event, answer, and
work on it afterwards.</li>
<li>Of a body ${ANSWER_BYTES / 1024} KiB are read and kept in the log; a 2xx with a longer one is a success too, and its connection
is closed there.</li>
<li>Everything else is a failure, redirects included. There are ${attempts} attempts:
the first wait is ${seconds(schedule.firstWaitMs)}, each further one ${schedule.factor} times as long,
up to ${seconds(schedule.capMs)}, plus up to a tenth at random. <code>Retry-After</code> of a 429 or 503 lengthens a wait within
that cap.</li>
<li>410 disables the endpoint, and so do ${disableAfterHours} hours without a success; those who manage webhooks get a mail. What
waits for it then has failed, and can be resent once it is enabled again.</li>
</ul>

<h2 id="promises">What is promised</h2>
<ul>
<li>Every event arrives at least once, and may arrive again: remember the ids you have handled. They may overtake each other:
<code>sequence</code> gives their order.</li>
<li>Of one endpoint at most <code>max_concurrency</code> deliveries are under way at once, however many workers there are; one whose
last attempt failed gets one at a time.
A delivery that timed out is under way no longer, though the receiver may still be working on it.</li>
</ul>

<h2 id="targets">Where deliveries go</h2>
<ul>
<li>To ${targets.allowHttp ? 'http:// and https:// addresses, in production only to https://' : 'https:// addresses only'}. Every
attempt looks at all addresses of the host: if one is private, loopback, link-local or otherwise not public,
the attempt fails, unless the operator allows that range. The connection is made to an address that was looked at.</li>
<li>Host names are resolved by DNS alone: not by hosts files, not by search domains, not by mDNS. An answer is used for up to 5
seconds.</li>
</ul>

<h2 id="receivers">Receivers</h2>
<p>Each is a whole program without dependencies.</p>
${RECEIVERS.map(receiver).join('\n')}`,
  );
}

function receiver([language, file]: (typeof RECEIVERS)[number]): string {
  const source = readFileSync(new URL(`receivers/${file}`, import.meta.url), 'utf8');
  return `<h3 id="${file}">${language}</h3>\n<pre><code>${escapeHtml(source)}</code></pre>`;
}
