import { inspect } from 'node:util';
import type { LoggerService } from '@nestjs/common';
import { pino, stdTimeFunctions, type Level, type Logger as PinoLogger } from 'pino';
import { currentWork } from '../../kit/internal.js';
import { LogLine } from './log-line.js';

const MOST_CAUSES = 5;

/** Writes each line as a JSON object, with what the work says of itself during which it is written. */
export class JsonLogger implements LoggerService {
  private readonly pino: PinoLogger;

  constructor(
    level: string,
    private readonly hidden: ReadonlySet<string>,
    write: (line: string) => void = inTurns(process.stdout),
  ) {
    const options = {
      level,
      messageKey: 'message',
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label: string) => ({ level: label }) },
      mixin: fieldsOfWork,
    };
    this.pino = pino(options, { write });
  }

  fatal(message: unknown, ...rest: unknown[]): void {
    this.write('fatal', message, rest);
  }

  error(message: unknown, ...rest: unknown[]): void {
    this.write('error', message, rest);
  }

  warn(message: unknown, ...rest: unknown[]): void {
    this.write('warn', message, rest);
  }

  log(message: unknown, ...rest: unknown[]): void {
    this.write('info', message, rest);
  }

  debug(message: unknown, ...rest: unknown[]): void {
    this.write('debug', message, rest);
  }

  verbose(message: unknown, ...rest: unknown[]): void {
    this.write('trace', message, rest);
  }

  /** Nest appends the context; before it may stand the stack of an error. */
  private write(level: Level, message: unknown, rest: unknown[]): void {
    if (!this.pino.isLevelEnabled(level)) return;
    const context = rest.at(-1);
    if (typeof context === 'string' && this.hidden.has(context)) return;
    const stack = rest.length > 1 && typeof rest[0] === 'string' ? { stack: rest[0] } : {};
    if (message instanceof LogLine) this.pino[level]({ context, ...message.fields }, message.message);
    else if (message instanceof Error) this.pino[level]({ context, error: described(message) }, message.message);
    else this.pino[level]({ context, ...stack }, typeof message === 'string' ? message : inspect(message));
  }
}

function fieldsOfWork(): object {
  const work = currentWork();
  return work ? { ...work.fields(), trace_id: work.span?.traceId } : {};
}

/** Only these members: those that drivers add to their errors contain the values of statements and requests. */
function described(error: Error, depth = 1): object {
  const { name, message, stack, cause, code } = error as Error & { code?: unknown };
  return {
    type: name,
    message,
    ...(typeof code === 'string' && { code }),
    stack,
    ...(cause instanceof Error && depth < MOST_CAUSES && { cause: described(cause, depth + 1) }),
  };
}

/** Writes the lines of one turn of the event loop together: a line costs less than the system call that writes it. */
function inTurns(stream: NodeJS.WritableStream): (line: string) => void {
  let lines = '';
  const flush = () => {
    const text = lines;
    lines = '';
    if (text !== '') stream.write(text);
  };
  process.on('exit', flush);
  return (line) => {
    if (lines === '') setImmediate(flush);
    lines += line;
  };
}
