import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { poolOf } from '../persistence/database/pool.js';
import { MailServer, type MailServerState } from './mail-server.js';
import type { ServerFault } from './smtp-faults.js';

/** After this time, or if the database fails, what this process knows has to do. */
const TIMEOUT_MS = 2_000;

const LONGEST_DENIED = `
  SELECT denied_fault AS fault, denied_since AS since FROM mails WHERE status = 'queued' AND denied_since IS NOT NULL
  ORDER BY denied_since LIMIT 1`;

/** The state of the mail server for health checks. It also fails while mails wait that it did not take from us, by any process. */
@Injectable()
export class MailServerHealth {
  /** Shared by probes at the same time. */
  private asked: Promise<MailServerState> | null = null;

  constructor(
    private readonly dataSource: DataSource,
    private readonly server: MailServer,
  ) {}

  read(): Promise<MailServerState> {
    this.asked ??= this.ask()
      .catch(() => this.server.state)
      .finally(() => (this.asked = null));
    return Promise.race([this.asked, sleep(TIMEOUT_MS, undefined, { ref: false }).then(() => this.server.state)]);
  }

  private async ask(): Promise<MailServerState> {
    const { status } = this.server.state;
    if (status === 'none' || status === 'failing') return this.server.state;
    const { rows } = await poolOf(this.dataSource).query<{ fault: ServerFault; since: Date }>(LONGEST_DENIED);
    const denied = rows.at(0);
    return denied ? { status: 'failing', ...denied } : this.server.state;
  }
}
