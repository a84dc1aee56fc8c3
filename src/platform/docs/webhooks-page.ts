import { readFileSync } from 'node:fs';
import { RESPONSE_BYTES } from '../webhooks/sending/response-text.js';
import type { WebhookSettings } from '../webhooks/sending/webhook-settings.js';
import { escapeHtml, Html } from '../../kit/index.js';

/** Complete programs, which the tests run. */
const RECEIVERS = [
  ['TypeScript', 'receiver.ts'],
  ['Python', 'receiver.py'],
  ['Go', 'receiver.go'],
] as const;

/** The page for developers of webhook receivers. */
export function webhooksPage({ timeoutMs, attempts, schedule, disableAfterHours, retentionDays, targets }: WebhookSettings): Html {
  const seconds = (ms: number) => `${ms / 1000} s`;
  return new Html(
    `<p>Members who may manage webhooks set endpoints up at <code>/api/v1/org/developer/webhook-endpoints</code>; the signing secret
      is shown once.
The body of each event is described in the section <code>webhooks</code> of <a href="/openapi.json">/openapi.json</a>;
<code>/api/v1/org/developer/event-types</code> lists the types, and
<code>/api/v1/org/developer/deliveries</code> shows what was sent, with every attempt and its response, for ${retentionDays} days.</p>

<h2 id="requests">The request</h2>
<p>A POST with the event as JSON and these headers:</p>
<table><tbody>
<tr><th scope="row"><code>Svc-Signature</code></th><td><code>t=&lt;seconds&gt;,v1=&lt;hex&gt;</code>: HMAC-SHA256 with the
endpoint's secret over <code>&lt;seconds&gt;.&lt;raw body&gt;</code>; a second
<code>v1=</code> while the previous secret is still valid</td></tr>
<tr><th scope="row"><code>Svc-Event-Id</code></th><td>the event's id, the same in every attempt and resend</td></tr>
<tr><th scope="row"><code>Svc-Event-Type</code></th><td>the event's type</td></tr>
<tr><th scope="row"><code>User-Agent</code></th><td><code>Svc-Webhooks/1.0</code></td></tr>
</tbody></table>
<p>Compute the signature over the raw bytes of the body: parsing and serializing it again may change them. Compare in constant time,
and reject a <code>t</code> that is more than five minutes from now.
A resend has a new signature. Any library that verifies headers of the form <code>t=...,v1=...</code> works, Stripe's among them.</p>

<h2 id="answers">The response</h2>
<ul>
<li>Any 2xx is a success if the response is complete within ${seconds(timeoutMs)}, including the time to connect. Store the event,
respond, and process it later.</li>
<li>Up to ${RESPONSE_BYTES / 1024} KiB of the body are read and logged; a 2xx with a longer body is a success too, and the
connection is closed at that point.</li>
<li>Everything else is a failure, including redirects. There are ${attempts} attempts:
the first delay is ${seconds(schedule.firstWaitMs)}, each further one ${schedule.factor} times as long,
up to ${seconds(schedule.capMs)}, plus up to a tenth at random. <code>Retry-After</code> of a 429 or 503 extends a delay up to
that maximum, and pauses all deliveries to the endpoint; its <code>held_until</code> says until when. Test events and deliveries that a
member resends do not wait.</li>
<li>410 disables the endpoint, and so do ${disableAfterHours} hours without a success; members who manage webhooks are notified by mail.
Its pending deliveries fail, and can be resent once it is enabled again.</li>
</ul>

<h2 id="promises">Guarantees</h2>
<ul>
<li>Every event is delivered at least once and may be delivered again: store the ids you have processed. Events may arrive out of
order; <code>sequence</code> gives their order.</li>
<li>At most <code>max_concurrency</code> deliveries to one endpoint are in flight at once, over all workers; an endpoint whose last
attempt failed gets one at a time.
A delivery that timed out no longer counts as in flight, although the receiver may still be processing it.</li>
</ul>

<h2 id="targets">Allowed targets</h2>
<ul>
<li>To ${targets.allowHttp ? 'http:// and https:// addresses, in production only to https://' : 'https:// addresses only'}. Every
attempt checks all addresses of the host: if one is private, loopback, link-local or otherwise not public,
the attempt fails, unless the operator allows that range. The connection is made to an address that was checked.</li>
<li>Host names are resolved by DNS alone: not by hosts files, not by search domains, not by mDNS. Results are cached for up to 5
seconds.</li>
</ul>

<h2 id="receivers">Receivers</h2>
<p>Each is a complete program without dependencies.</p>
${RECEIVERS.map(receiver).join('\n')}`,
  );
}

function receiver([language, file]: (typeof RECEIVERS)[number]): string {
  const source = readFileSync(new URL(`receivers/${file}`, import.meta.url), 'utf8');
  return `<h3 id="${file}">${language}</h3>\n<pre><code class="${file.split('.')[1]}">${escapeHtml(source)}</code></pre>`;
}
