import { Logger } from '@nestjs/common';
import { inWork, type Work } from '../../../kit/internal.js';
import { LogLine } from '../../logging/log-line.js';

const LONGEST_TEXT = 2_000;
/** What surrounds the others of a transaction. */
const FRAME = /^(BEGIN|COMMIT|ROLLBACK)$/;

const log = new Logger('Statements');
let slowMs = Infinity;

/** Sets SLOW_STATEMENT_MS for all connections of the process; 0 for none. */
export function warnOfSlowStatements(milliseconds: number): void {
  slowMs = milliseconds > 0 ? milliseconds : Infinity;
}

/** A statement, and what it is part of. */
export interface SentStatement {
  text: string;
  work: Work | undefined;
}

/**
 * Warns if the statements of one packet took long. Their texts have placeholders; the values of their parameters are never logged.
 * Those of several requests share a packet; then the line belongs to none, and names the operations.
 */
export function noteDuration(statements: readonly SentStatement[], milliseconds: number, processId: number | null): void {
  if (milliseconds < slowMs) return;
  const works = [...new Set(statements.map(({ work }) => work))];
  const texts = statements.map(({ text }) => text.replace(/\s+/g, ' ').trim());
  const line = new LogLine('Slow statement', {
    operation: [...new Set(works.map((work) => work?.operation ?? 'unknown'))].join(', '),
    duration_ms: Math.round(milliseconds),
    database_process: processId,
    statement: (texts.length > 1 ? texts.filter((text) => !FRAME.test(text)) : texts).join('; ').slice(0, LONGEST_TEXT),
  });
  const [work] = works;
  if (works.length === 1 && work) inWork(work, () => log.warn(line));
  else log.warn(line);
}
