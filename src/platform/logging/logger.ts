// The logger of the process.

import { ConsoleLogger, type LogLevel } from '@nestjs/common';
import type { AppConfig } from '../config/settings.js';

/** Nest's names of the log levels, the most severe first. */
const LEVELS: Record<string, LogLevel> = { fatal: 'fatal', error: 'error', warn: 'warn', info: 'log', debug: 'debug', trace: 'verbose' };

/** Contexts of Nest's own messages that are not logged: every provider and route, and a failed listen, which is reported elsewhere. */
const FRAMEWORK = new Set([
  'NestFactory',
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
  'NestApplication',
  'DataSourceNameRegistry',
]);

/** Readable lines in development, JSON lines in production. */
export function loggerOf({ logLevel, nodeEnv }: Pick<AppConfig, 'logLevel' | 'nodeEnv'>): ConsoleLogger | false {
  if (logLevel === 'silent') return false;
  const names = Object.keys(LEVELS);
  const logLevels = names.slice(0, names.indexOf(logLevel) + 1).map((name) => LEVELS[name]);
  return new QuietLogger({ logLevels, json: nodeEnv === 'production' });
}

class QuietLogger extends ConsoleLogger {
  protected override printMessages(...args: Parameters<ConsoleLogger['printMessages']>): void {
    const [, context] = args;
    if (!FRAMEWORK.has(context ?? '')) super.printMessages(...args);
  }
}
