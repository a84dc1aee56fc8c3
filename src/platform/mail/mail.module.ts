import { Global, Module, type DynamicModule, type Type } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ModuleRef } from '@nestjs/core';
import { Brands, Mails, Store, type BrandSource, type MailTransport } from '../../kit/index.js';
import { manifestOf } from '../../kit/internal.js';
import type { AppConfig } from '../config/settings.js';
import { ModuleRegistry } from '../registry/module-registry.js';
import { HAS_MAIL_SERVER, MailOutbox } from './mail-outbox.js';
import { MailLooks } from './mail-looks.js';
import { MAIL_SETTINGS, MAIL_TRANSPORT, MailSender } from './mail-sender.js';
import { MailServerHealth } from './mail-server-health.js';
import { MailServer } from './mail-server.js';
import { MailFileRow, MailRow } from './mail.entity.js';
import { MailsController } from './mails.controller.js';

/** Mail: written in the transaction of the change, sent by the workers, listed in the developer area. Needs Store and the queue. */
@Global()
@Module({})
export class MailModule {
  static register({ smtpUrl, mailFrom }: Pick<AppConfig, 'smtpUrl' | 'mailFrom'>, modules: readonly Type[]): DynamicModule {
    const sends = smtpUrl !== undefined || modules.some((module) => manifestOf(module).mailTransport);
    return {
      module: MailModule,
      imports: [TypeOrmModule.forFeature([MailRow, MailFileRow])],
      controllers: [MailsController],
      providers: [
        { provide: HAS_MAIL_SERVER, useValue: sends },
        { provide: MailServer, useValue: new MailServer(sends) },
        MailServerHealth,
        { provide: MailLooks, useFactory: mailLooks, inject: [ModuleRegistry, ModuleRef, Store] },
        { provide: Brands, useFactory: pageBrands, inject: [ModuleRegistry, ModuleRef] },
        MailOutbox,
        { provide: Mails, useExisting: MailOutbox },
        ...(sends
          ? [
              { provide: MAIL_SETTINGS, useValue: { smtpUrl: smtpUrl?.reveal(), from: mailFrom } },
              { provide: MAIL_TRANSPORT, useFactory: ownTransport, inject: [ModuleRegistry, ModuleRef] },
              MailSender,
            ]
          : []),
      ],
      exports: [Mails, Brands, HAS_MAIL_SERVER, MailServerHealth],
    };
  }
}

function mailLooks(registry: ModuleRegistry, moduleRef: ModuleRef, store: Store): MailLooks {
  return new MailLooks(store, brandSource(registry, moduleRef));
}

function pageBrands(registry: ModuleRegistry, moduleRef: ModuleRef): Brands {
  const source = brandSource(registry, moduleRef);
  return { of: async (ctx) => (await source()?.pageBrand(ctx)) ?? { color: null, logo: null } };
}

/** As for the brand; null for SMTP. */
function ownTransport(registry: ModuleRegistry, moduleRef: ModuleRef): () => MailTransport | null {
  const provider = registry.manifests.find(({ mailTransport }) => mailTransport)?.mailTransport;
  return () => (provider ? moduleRef.get<MailTransport>(provider, { strict: false }) : null);
}

/** The module's provider is resolved when it is first needed, because modules are created after the platform. */
function brandSource(registry: ModuleRegistry, moduleRef: ModuleRef): () => BrandSource | null {
  const provider = registry.manifests.find(({ brand }) => brand)?.brand;
  return () => (provider ? moduleRef.get<BrandSource>(provider, { strict: false }) : null);
}
