// work-suite listen: forwards the events of a running suite to an address of this machine, signed as deliveries are. Needs only Node.
import { createHmac, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { demoKey, readEnvironment, suiteUrl } from './environment.mjs';
import { onReaderEnd, onShellEnd } from './prepare.mjs';

const USAGE = `Usage: work-suite listen --forward-to <url> [--events 'note.*'] [--url <base URL>] [--key <key>] [--from <sequence>] [--live]

Forwards events to a URL. The key is one of the module developer, with the scope developer:event:read; by default SUITE_KEY, or that of
the demo, in .data/demo.json. The base URL is SUITE_URL by default, or http://localhost:PORT; .env of the project may set them. --from also
forwards what happened after a sequence.

Events are those that webhooks get: <base URL>/docs/webhooks lists them. --events takes their names, and wildcards of a subject, such as
'task.*', separated by commas. Internal events, such as deal.won, reach only modules and the triggers of documents. It ends with the
terminal, and with the npm or npx that runs it.`;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;
const TIMEOUT_MS = 10_000;
/** The suite sends at least a comment every 15 seconds. */
const SILENCE_MS = 45_000;

export async function run(args) {
  if (args.some((arg) => ['--help', '-h'].includes(arg))) {
    console.log(USAGE);
    return 0;
  }
  readEnvironment();
  const options = optionsOf(args);
  if (typeof options === 'string') {
    console.error(`${options}\n\n${USAGE}`);
    return 2;
  }
  const secret = `svc_whsec_${randomBytes(32).toString('base64url')}`;
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => stop.abort());
  onShellEnd(() => stop.abort());
  onReaderEnd(() => stop.abort());
  let after = options.from;
  let greeted = false;
  for (let pause = FIRST_PAUSE_MS; !stop.signal.aborted;) {
    try {
      for await (const { id, data, event } of messages(options, after, stop.signal)) {
        if (!greeted) console.log(`Forwarding ${options.events.join(', ')} to ${options.target}\nSigning secret: ${secret}`);
        greeted = true;
        pause = FIRST_PAUSE_MS;
        if (event === 'end') throw new Error(`The suite ended the stream: ${JSON.parse(data).message}`);
        if (data !== undefined) await forward(JSON.parse(data), data, options.target, secret, stop.signal);
        if (id !== undefined) after = id;
      }
      throw new Error('The suite ended the stream.');
    } catch (error) {
      if (stop.signal.aborted) break;
      if (error.isFinal) {
        console.error(error.message);
        return 1;
      }
      const wait = error.retryMs ?? pause;
      const from = after === undefined ? '' : `, after sequence ${after}`;
      console.error(`${error.message} Connecting again in ${wait / 1000} s${from}.`);
      pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
      await sleep(wait, undefined, { signal: stop.signal }).catch(() => undefined);
    }
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
        url: { type: 'string', default: suiteUrl() },
        key: { type: 'string' },
        from: { type: 'string' },
        live: { type: 'boolean', default: false },
      },
    }));
  } catch (error) {
    return error.message;
  }
  const { 'forward-to': target, url, from, live } = values;
  const key = values.key || process.env.SUITE_KEY || demoKey('developer', live ? 'live' : 'test');
  if (target === undefined || !/^https?:$/.test(URL.parse(target)?.protocol ?? '')) return '--forward-to must be an http or https URL.';
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) return '--url must be the URL of the suite.';
  if (key === undefined) return 'A key is missing: pass --key, or set SUITE_KEY.';
  if (key.startsWith('svc_live_') && !live) return 'This is a live key: use a test key, or pass --live to forward live events.';
  if (from !== undefined && !/^\d{1,15}$/.test(from)) return '--from must be the sequence of an event.';
  return { target, key, url, events: values.events.split(','), from };
}

/** The messages of the stream after a sequence; those without `data` only move the place. */
async function* messages({ url, key, events }, after, stopped) {
  const query = events.includes('*') ? '' : `?type=${encodeURIComponent(events.join(','))}`;
  const silence = new AbortController();
  let timer;
  const listen = () => {
    clearTimeout(timer);
    timer = setTimeout(() => silence.abort(), SILENCE_MS);
  };
  try {
    listen();
    const response = await fetch(new URL(`/api/v1/ext/developer/events/stream${query}`, url), {
      headers: { authorization: `Bearer ${key}`, ...(after !== undefined && { 'last-event-id': after }) },
      signal: AbortSignal.any([stopped, silence.signal]),
    });
    if (!response.ok) throw await refusalOf(response);
    let text = '';
    for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
      listen();
      const blocks = (text + chunk).split('\n\n');
      text = blocks.pop();
      for (const block of blocks) {
        yield fieldsOf(block);
        listen();
      }
    }
  } catch (error) {
    if (error.isRefusal) throw error;
    const reason = silence.signal.aborted ? 'no answer' : (error.cause?.code ?? error.message);
    throw new Error(`The suite at ${url} cannot be reached (${reason}).`, { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

function fieldsOf(block) {
  return Object.fromEntries(block.split('\n').map((line) => [line.split(':', 1)[0], line.slice(line.indexOf(':') + 1).trimStart()]));
}

async function refusalOf(response) {
  const body = await response.json().catch(() => null);
  return Object.assign(new Error(`The suite answered ${response.status}: ${body?.error?.message ?? response.statusText}`), {
    isRefusal: true,
    isFinal: response.status < 500 && response.status !== 429,
    retryMs: Number(response.headers.get('retry-after')) * 1000 || undefined,
  });
}

async function forward(event, body, target, secret, stopped) {
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
      signal: AbortSignal.any([stopped, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    await response.body?.cancel();
    answer = response.status;
  } catch (error) {
    answer = `failed (${error.cause?.code ?? error.message})`;
  }
  console.log(`${event.sequence}  ${event.type}  ${event.id}  ${answer}  ${Math.round(performance.now() - since)} ms`);
}
