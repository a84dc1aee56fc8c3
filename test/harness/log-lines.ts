import { Logger } from '@nestjs/common';
import { JsonLogger } from '../../src/platform/logging/json-logger.js';

// For `TestApp.inside`: the log of the application's process.

let lines: string[] = [];

/** From now on, lines of every level are kept instead of written. */
export function keepLines(): void {
  lines = [];
  Logger.overrideLogger(new JsonLogger('trace', new Set(), (line) => lines.push(line)));
}

export function keptLines(): string {
  return lines.join('');
}
