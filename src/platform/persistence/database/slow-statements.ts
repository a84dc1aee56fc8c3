import { Logger } from '@nestjs/common';
import { currentTracer, inWork, type Tracer, type Work } from '../../../kit/internal.js';
import { LogLine } from '../../logging/log-line.js';

const LONGEST_TEXT = 2_000;
/** How often the event loop is checked, and from which delay on it counts as blocked. */
const CHECK_EVERY_MS = 100;
const TOLERATED_MS = 50;
/** What surrounds the others of a transaction. */
const FRAME = /^(BEGIN|COMMIT|ROLLBACK|SELECT set_config\('application_name'.*)$/;

const log = new Logger('Statements');
let slowMs = Infinity;
let blockedMs = 0;
let timer: NodeJS.Timeout | undefined;

/** Sets SLOW_STATEMENT_MS for all connections of the process; 0 for none. */
export function warnOfSlowStatements(milliseconds: number): void {
  slowMs = milliseconds > 0 ? milliseconds : Infinity;
  if (milliseconds > 0) timer ??= noteBlocks();
}

/**
 * Milliseconds of the process, without those in which its event loop was blocked: an answer that arrives meanwhile is read later, and the
 * statement would seem to be slow.
 */
export function unblockedTime(): number {
  return performance.now() - blockedMs;
}

function noteBlocks(): NodeJS.Timeout {
  let due = performance.now() + CHECK_EVERY_MS;
  return setInterval(() => {
    const late = performance.now() - due;
    if (late > TOLERATED_MS) blockedMs += late;
    due = performance.now() + CHECK_EVERY_MS;
  }, CHECK_EVERY_MS).unref();
}

/** A statement, and what it is part of. */
export interface SentStatement {
  text: string;
  work: Work | undefined;
}

/**
 * Warns if the statements of one packet took long, and records spans of their works. Their texts have placeholders; the values of their
 * parameters are in neither. Those of several requests share a packet; then the line belongs to none, and names the operations.
 */
export function noteDuration(statements: readonly SentStatement[], milliseconds: number, processId: number | null): void {
  const tracer = currentTracer();
  if (tracer !== null) recordSpans(tracer, statements, milliseconds);
  if (milliseconds < slowMs) return;
  const works = [...new Set(statements.map(({ work }) => work))];
  const line = new LogLine('Slow statement', {
    operation: [...new Set(works.map((work) => work?.operation ?? 'unknown'))].join(', '),
    duration_ms: Math.round(milliseconds),
    database_process: processId,
    statement: textOf(statements),
  });
  const [work] = works;
  if (works.length === 1 && work) inWork(work, () => log.warn(line));
  else log.warn(line);
}

/** One span for all statements of a packet that have the same parent. */
function recordSpans(tracer: Tracer, statements: readonly SentStatement[], milliseconds: number): void {
  const parents = new Set(statements.flatMap(({ work }) => work?.span ?? []));
  for (const parent of parents) {
    const own = statements.filter(({ work }) => work?.span === parent);
    const attributes = { 'db.system.name': 'postgresql', 'db.query.text': textOf(own), 'db.operation.batch.size': own.length };
    tracer.start('postgresql', { parent, kind: 'client', attributes, startedAt: performance.now() - milliseconds }).end();
  }
}

function textOf(statements: readonly SentStatement[]): string {
  const texts = statements.map(({ text }) => text.replace(/\s+/g, ' ').trim());
  return (texts.length > 1 ? texts.filter((text) => !FRAME.test(text)) : texts).join('; ').slice(0, LONGEST_TEXT);
}
