import { Injectable, Logger } from '@nestjs/common';
import { inWork, type Work, type WorkFields } from '../../kit/internal.js';
import type { AppConfig } from '../config/settings.js';
import { LogLine } from './log-line.js';
import { logsEnds } from './logger.js';

/** Writes a line when a job, a delivery or a mail ends, if LOG_REQUESTS says so. */
@Injectable()
export class WorkLines {
  private readonly log = new Logger('Work');
  private readonly logged: { usual: boolean; quiet: boolean };

  constructor(settings: Pick<AppConfig, 'logLevel' | 'logRequests'>) {
    this.logged = logsEnds(settings);
  }

  /** `quiet`: what runs all the time is only for those who look closer. */
  ended(
    work: Work,
    outcome: string,
    milliseconds: number,
    { quiet = false, fields = {} }: { quiet?: boolean; fields?: WorkFields } = {},
  ): void {
    if (!this.logged[quiet ? 'quiet' : 'usual']) return;
    inWork(work, () => {
      const line = new LogLine(work.operation, { outcome, duration_ms: Math.round(milliseconds * 10) / 10, ...fields });
      if (quiet) this.log.debug(line);
      else this.log.log(line);
    });
  }
}
