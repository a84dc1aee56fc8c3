import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import pg, { type ClientConfig } from 'pg';
import { closeSocket } from './heartbeat.js';
import { surviveLoss } from '../connections/survive-loss.js';

/** A connection of a pool. */
export interface Watched extends pg.Client {
  readonly config: ClientConfig;
  /** The time of the oldest statement without an answer, or of the last answer if others are awaited; null when none is. */
  readonly waitingSince: number | null;
  /** The time of the last answer, by `performance.now()`. */
  readonly heardAt: number;
}

interface Suspect {
  client: Watched;
  since: number;
}

const CHECK_EVERY_MS = 1_000;
/** Together with the times below, shorter than clients of the API wait, and than a statement may take. */
const SUSPECT_AFTER_MS = 8_000;
const ANSWER_WITHIN_MS = 3_500;
/** Answers that were on their way when PostgreSQL reported that the session is not busy arrive within this time. */
const GRACE_MS = 500;
/** `disabled`: the server does not track what its sessions do, so every statement may still run. */
const BUSY = ['active', 'fastpath function call', 'disabled'];

const log = new Logger('Database');
const open = new Set<Watched>();
let timer: NodeJS.Timeout | undefined;
let checking = false;

/**
 * Closes connections that went silent, long before a statement's timeout: a request may use several of them one after the other.
 * To distinguish a slow statement from a silent connection, PostgreSQL is asked over a new one what the session does.
 */
export function watchForSilence(client: Watched): void {
  open.add(client);
  client.once('end', () => {
    open.delete(client);
    if (open.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  });
  timer ??= setInterval(() => void check(), CHECK_EVERY_MS).unref();
}

async function check(): Promise<void> {
  if (checking) return;
  const before = performance.now() - SUSPECT_AFTER_MS;
  const servers = new Map<string, Suspect[]>();
  for (const client of open) {
    const { waitingSince: since } = client;
    if (since === null || since > before) continue;
    const server = serverOf(client);
    servers.set(server, [...(servers.get(server) ?? []), { client, since }]);
  }
  checking = true;
  try {
    await Promise.all([...servers].map(([server, suspects]) => closeSilent(server, suspects)));
  } finally {
    checking = false;
  }
}

/** Closes the suspects whose sessions are not busy, and all connections to the same server that have not answered since either. */
async function closeSilent(server: string, suspects: readonly Suspect[]): Promise<void> {
  const asked = performance.now();
  const answer = await busySessions(suspects[0].client.config);
  if (answer === 'unknown') return;
  // a server that answers on other connections is only slow to accept a new one
  if (answer === 'silent' && [...open].some((client) => serverOf(client) === server && client.heardAt > asked)) return;
  await sleep(GRACE_MS, undefined, { ref: false });
  const isIdle = (client: Watched) => answer === 'silent' || !answer.has(sessionOf(client));
  const silent = suspects.filter(({ client, since }) => open.has(client) && client.waitingSince === since && isIdle(client));
  if (silent.length === 0) return;
  const since = Math.max(...silent.map((suspect) => suspect.since));
  const lost = [...open].filter((client) => serverOf(client) === server && client.heardAt <= since && isIdle(client));
  log.warn(`${lost.length} connections to PostgreSQL gave no answer for ${Math.round(performance.now() - since)} ms and are closed.`);
  for (const client of lost) closeSocket(client, 'Connection terminated: it gave no answer');
}

/** The process ids of the sessions that run a statement. `unknown`: the server does not report them, or a pooler is in between. */
async function busySessions(config: ClientConfig): Promise<ReadonlySet<number> | 'silent' | 'unknown'> {
  // the pool hides the password from a copy
  const client = new pg.Client({ ...config, password: config.password, application_name: 'work-suite silence check' });
  surviveLoss(client);
  const deadline = setTimeout(() => closeSocket(client, 'no answer'), ANSWER_WITHIN_MS).unref();
  try {
    await client.connect();
    const { rows } = await client.query<{ pid: number }>('SELECT pid FROM pg_stat_activity WHERE state = ANY($1)', [BUSY]);
    const busy = new Set(rows.map(({ pid }) => pid));
    // its own session runs this statement
    return busy.has(sessionOf(client)) ? busy : 'unknown';
  } catch (error) {
    return error instanceof pg.DatabaseError ? 'unknown' : 'silent';
  } finally {
    clearTimeout(deadline);
    closeSocket(client, 'the check has ended');
  }
}

function sessionOf(client: pg.Client): number {
  return (client as unknown as { processID: number }).processID;
}

function serverOf({ host, port, database }: pg.Client): string {
  return `${host}:${port}/${database}`;
}
