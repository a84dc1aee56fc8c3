// What the process prints.

import { ConsoleLogger, type LogLevel } from '@nestjs/common';
import type { AppConfig } from '../config/settings.js';

/** Nest's names for our levels, the most severe first. */
const LEVELS: Record<string, LogLevel> = { fatal: 'fatal', error: 'error', warn: 'warn', info: 'log', debug: 'debug', trace: 'verbose' };

/** Nest tells of every provider and route it sets up, and of a failed listen that we report ourselves. */
const FRAMEWORK = new Set([
  'NestFactory',
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
  'NestApplication',
  'DataSourceNameRegistry',
]);

/** Lines for people in development, JSON lines for log collectors in production. */
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
