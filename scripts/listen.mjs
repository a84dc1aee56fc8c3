// work-suite listen: forwards the events of a running suite to an address of this machine, signed as deliveries are. Needs only Node.
import { createHmac, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';

const USAGE = `Usage: work-suite listen --forward-to <url> [--events 'note.*'] [--url <base URL>] [--key <key>] [--from <sequence>] [--live]

Forwards events to a URL. The key is one of the module developer, with the scope developer:event:read; SUITE_KEY by default. The base URL
is SUITE_URL by default, or http://localhost:3000. --from also forwards what happened after a sequence.`;
const POLL_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;
const TIMEOUT_MS = 10_000;

export async function run(args) {
  const options = optionsOf(args);
  if (typeof options === 'string') {
    console.error(`${options}\n\n${USAGE}`);
    return 2;
  }
  const secret = `svc_whsec_${randomBytes(32).toString('base64url')}`;
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort()).once('SIGTERM', () => stop.abort());
  try {
    let after = options.from ?? (await latest(options));
    console.log(`Forwarding ${options.events.join(', ')} to ${options.target}\nSigning secret: ${secret}`);
    for (let pause = POLL_MS; !stop.signal.aborted; await sleep(pause, undefined, { signal: stop.signal })) {
      try {
        const { data } = await page(options, { after_sequence: after, limit: 100 });
        for (const event of data) {
          await forward(event, options.target, secret);
          after = event.sequence;
        }
        pause = data.length === 100 ? 0 : POLL_MS;
      } catch (error) {
        if (error.isFinal) throw error;
        pause = Math.max(error.retryMs ?? 0, Math.min(Math.max(pause, POLL_MS) * 2, LONGEST_PAUSE_MS));
        console.error(`${error.message} Trying again in ${Math.round(pause / 1000)} s, after sequence ${after}.`);
      }
    }
  } catch (error) {
    if (error.name === 'AbortError') return 0;
    console.error(error.message);
    return 1;
  }
  return 0;
}

function optionsOf(args) {
  let values;
  try {
    ({ values } = parseArgs({
      args,
      options: {
        'forward-to': { type: 'string' },
        events: { type: 'string', default: '*' },
        url: { type: 'string', default: process.env.SUITE_URL ?? 'http://localhost:3000' },
        key: { type: 'string', default: process.env.SUITE_KEY ?? '' },
        from: { type: 'string' },
        live: { type: 'boolean', default: false },
      },
    }));
  } catch (error) {
    return error.message;
  }
  const { 'forward-to': target, key, url, from } = values;
  if (target === undefined || !/^https?:$/.test(URL.parse(target)?.protocol ?? '')) return '--forward-to must be an http or https URL.';
  if (URL.parse(url) === null) return '--url must be the URL of the suite.';
  if (key === '') return 'A key is missing: pass --key, or set SUITE_KEY.';
  if (key.startsWith('svc_live_') && !values.live) return 'This is a live key: use a test key, or pass --live to forward live events.';
  if (from !== undefined && !/^\d{1,15}$/.test(from)) return '--from must be the sequence of an event.';
  return { target, key, url, events: values.events.split(','), from: from === undefined ? undefined : Number(from) };
}

async function latest(options) {
  const { data } = await page(options, { sort: '-sequence', limit: 1 });
  return data[0]?.sequence ?? 0;
}

async function page({ url, key, events }, query) {
  const types = events.includes('*') ? {} : { type: events.join(',') };
  const address = new URL(`/api/v1/ext/developer/events?${new URLSearchParams({ ...types, ...query })}`, url);
  let response;
  try {
    response = await fetch(address, { headers: { authorization: `Bearer ${key}` }, signal: AbortSignal.timeout(TIMEOUT_MS) });
  } catch (error) {
    throw new Error(`The suite at ${url} cannot be reached (${error.cause?.code ?? error.message}).`, { cause: error });
  }
  const body = await response.json().catch(() => null);
  if (response.ok) return body;
  throw Object.assign(new Error(`The suite answered ${response.status}: ${body?.error?.message ?? response.statusText}`), {
    isFinal: response.status < 500 && response.status !== 429,
    retryMs: Number(response.headers.get('retry-after')) * 1000 || undefined,
  });
}

async function forward(event, target, secret) {
  const body = JSON.stringify(event);
  const seconds = Math.floor(Date.now() / 1000);
  const signature = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
  const since = performance.now();
  let answer;
  try {
    const response = await fetch(target, {
      method: 'POST',
      redirect: 'manual',
      headers: {
        'Svc-Signature': `t=${seconds},v1=${signature}`,
        'Svc-Event-Id': event.id,
        'Svc-Event-Type': event.type,
        'User-Agent': 'Svc-Webhooks/1.0',
        'Content-Type': 'application/json; charset=utf-8',
      },
      body,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await response.body?.cancel();
    answer = response.status;
  } catch (error) {
    answer = `failed (${error.cause?.code ?? error.message})`;
  }
  console.log(`${event.sequence}  ${event.type}  ${event.id}  ${answer}  ${Math.round(performance.now() - since)} ms`);
}
