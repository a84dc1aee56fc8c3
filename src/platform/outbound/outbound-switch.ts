import { Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { Outbound } from '../../kit/index.js';
import { poolOf } from '../persistence/database/pool.js';
import { isUnconfirmedCopy } from './database-identity.js';

const CHECK_EVERY_MS = 5_000;

/** `off`: by the setting OUTBOUND. `held`: the database is a copy that no operator has confirmed. */
export type OutboundState = 'on' | 'off' | 'held';

/**
 * Whether this process sends webhooks and mails, and runs jobs that call others. What it does not send stays due and is sent later.
 */
export class OutboundSwitch extends Outbound implements OnModuleInit, OnApplicationShutdown {
  private readonly log = new Logger('Outbound');
  private held = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly dataSource: DataSource,
    private readonly setting: 'on' | 'off',
  ) {
    super();
  }

  get state(): OutboundState {
    return this.setting === 'off' ? 'off' : this.held ? 'held' : 'on';
  }

  get isOpen(): boolean {
    return this.state === 'on';
  }

  async onModuleInit(): Promise<void> {
    if (this.setting === 'off') return this.log.warn('OUTBOUND=off: no webhook, mail or AI call is sent.');
    this.held = await isUnconfirmedCopy(poolOf(this.dataSource));
    if (!this.held) return;
    this.log.warn(
      'This database is a copy: no webhook, mail or AI call is sent. If it takes the place of the original, ' +
        'run `work-suite outbound release`.',
    );
    this.timer = setInterval(() => void this.look(), CHECK_EVERY_MS).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  private async look(): Promise<void> {
    try {
      this.held = await isUnconfirmedCopy(poolOf(this.dataSource));
    } catch {
      // held until the database says otherwise
      return;
    }
    if (this.held) return;
    clearInterval(this.timer);
    this.log.log('An operator has confirmed this database: webhooks, mails and AI calls are sent.');
  }
}
