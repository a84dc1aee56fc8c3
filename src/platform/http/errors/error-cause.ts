import { CommonErrors, type DomainError, type Settings } from '../../../kit/index.js';
import { describeError } from '../../persistence/database/pg-errors.js';

/** What the response says to a developer about an unexpected error. */
export interface ErrorCause {
  name: string;
  message: string;
  /** The first line of a module that the error passed, or else of the service; null if there is none. */
  at: string | null;
}

const LONGEST = 1_000;
const FRAME = /^ +at (?:.*\()?(?:file:\/\/)?(?:.*[/\\])?((?:src|test|migrations)[/\\][^()]+:\d+:\d+)\)?$/;
const OF_PLATFORM = /^src[/\\](?:platform|kit)[/\\]/;
const CREDENTIALS = /(?<=:\/\/)[^\s/@]+@/g;

/**
 * The cause of an unexpected error, without the values of a statement and credentials in addresses. Null in production, where it is only
 * logged, and for any other error.
 */
export function causeOf({ spec, occurrence: { cause } }: DomainError, environment: Settings['environment']): ErrorCause | null {
  if (environment === 'production' || spec !== CommonErrors.internalError.spec || cause === undefined) return null;
  const name = cause instanceof Error ? cause.constructor.name : typeof cause;
  const lines = describeError(cause).text.split('\n');
  const first = lines.findIndex((line) => /^ +at /.test(line));
  const message = (first === -1 ? lines : lines.slice(0, first)).join('\n').replace(/^\w*Error(?: \[[^\]]+\])?: /, '');
  const frames = lines.flatMap((line) => (line.includes('node_modules') ? [] : (FRAME.exec(line)?.[1] ?? [])));
  return {
    name,
    message: message.replace(CREDENTIALS, '').slice(0, LONGEST),
    at: frames.find((frame) => !OF_PLATFORM.test(frame)) ?? frames.at(0) ?? null,
  };
}
