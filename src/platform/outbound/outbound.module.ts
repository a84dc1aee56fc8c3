import { Global, Module, type DynamicModule } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Outbound } from '../../kit/index.js';
import type { AppConfig } from '../config/settings.js';
import { Metrics } from '../metrics/metrics.js';
import { OutboundSwitch } from './outbound-switch.js';

/** Whether anything leaves the installation. Needs persistence and metrics. */
@Global()
@Module({})
export class OutboundModule {
  static register({ outbound }: Pick<AppConfig, 'outbound'>): DynamicModule {
    return {
      module: OutboundModule,
      providers: [
        {
          provide: OutboundSwitch,
          inject: [DataSource, Metrics],
          useFactory: (dataSource: DataSource, metrics: Metrics): OutboundSwitch => {
            const created = new OutboundSwitch(dataSource, outbound);
            metrics.outbound(() => created.isOpen);
            return created;
          },
        },
        { provide: Outbound, useExisting: OutboundSwitch },
      ],
      exports: [OutboundSwitch, Outbound],
    };
  }
}
