import { Global, Module, type DynamicModule } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Outbound } from '../../kit/index.js';
import type { AppConfig } from '../config/settings.js';
import { OutboundSwitch } from './outbound-switch.js';

/** Whether anything leaves the installation. Needs persistence. */
@Global()
@Module({})
export class OutboundModule {
  static register({ outbound }: Pick<AppConfig, 'outbound'>): DynamicModule {
    return {
      module: OutboundModule,
      providers: [
        { provide: OutboundSwitch, useFactory: (dataSource: DataSource) => new OutboundSwitch(dataSource, outbound), inject: [DataSource] },
        { provide: Outbound, useExisting: OutboundSwitch },
      ],
      exports: [OutboundSwitch, Outbound],
    };
  }
}
