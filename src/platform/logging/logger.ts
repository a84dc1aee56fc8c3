// The logger of the process.

import { ConsoleLogger, type LoggerService, type LogLevel } from '@nestjs/common';
import type { AppConfig } from '../config/settings.js';
import { JsonLogger } from './json-logger.js';
import { LogLine } from './log-line.js';

/** Nest's names of the log levels, the most severe first. */
const LEVELS: Record<string, LogLevel> = { fatal: 'fatal', error: 'error', warn: 'warn', info: 'log', debug: 'debug', trace: 'verbose' };

/** Contexts of Nest's own messages that are not logged: every provider and route, and a failed listen, which is reported elsewhere. */
const FRAMEWORK: ReadonlySet<string> = new Set([
  'NestFactory',
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
  'NestApplication',
  'DataSourceNameRegistry',
]);

/** By LOG_FORMAT: readable lines, or JSON for programs. */
export function loggerOf({ logLevel, logFormat }: Pick<AppConfig, 'logLevel' | 'logFormat'>): LoggerService | false {
  if (logLevel === 'silent') return false;
  return logFormat === 'json' ? new JsonLogger(logLevel, FRAMEWORK) : new TextLogger(logLevel);
}

/** Whether LOG_LEVEL includes a level. */
export function logs(level: string, { logLevel }: Pick<AppConfig, 'logLevel'>): boolean {
  const names = Object.keys(LEVELS);
  return names.indexOf(level) <= names.indexOf(logLevel);
}

/** Whether the ends of requests and of other work are logged, and those of quiet ones, which run all the time. */
export function logsEnds(settings: Pick<AppConfig, 'logLevel' | 'logRequests'>): { usual: boolean; quiet: boolean } {
  const asked = settings.logRequests === 'yes';
  return { usual: asked && logs('info', settings), quiet: asked && logs('debug', settings) };
}

class TextLogger extends ConsoleLogger {
  constructor(level: string) {
    const names = Object.keys(LEVELS);
    super({ logLevels: names.slice(0, names.indexOf(level) + 1).map((name) => LEVELS[name]) });
  }

  protected override printMessages(messages: unknown[], ...rest: [context?: string]): void {
    const [context] = rest;
    if (!FRAMEWORK.has(context ?? '')) super.printMessages(messages.map(textOf), ...rest);
  }
}

function textOf(message: unknown): unknown {
  if (!(message instanceof LogLine)) return message;
  const fields = Object.entries(message.fields).filter(([, value]) => value !== null && value !== undefined);
  return [message.message, ...fields.map(([name, value]) => `${name}=${String(value)}`)].join(' ');
}
