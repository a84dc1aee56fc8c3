import { Global, Module, type DynamicModule, type Type } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { DataSource } from 'typeorm';
import {
  AiModels,
  DocumentTokenCatalog,
  Downloads,
  Outbound,
  PaymentProviders,
  Settings,
  type AiModel,
  type PaymentProvider,
  type ProjectSetup,
} from '../kit/index.js';
import { ModuleSettings } from './config/module-settings.js';
import { moduleSlices } from './config/module-slices.js';
import { SecretBox } from './config/secret-box.js';
import type { AppConfig } from './config/settings.js';
import { AuditModule } from './audit/audit.module.js';
import { BinModule } from './bin/bin.module.js';
import { AuditRetention } from './audit/audit-retention.js';
import { poolerUrlOf } from './persistence/database/pooler.js';
import { BaseUrl } from './config/base-url.js';
import { CallLogs } from './http/logs/call-logs.js';
import { KEYLESS_LIMITS } from './http/callers/caller.guard.js';
import { EventStreamsModule } from './event-streams/event-streams.module.js';
import { EventsModule } from './events/events.module.js';
import { CustomFieldsModule } from './custom-fields/custom-fields.module.js';
import { IndexCustomFields } from './custom-fields/index-custom-fields.job.js';
import { EventCatalogModule } from './events/event-catalog.module.js';
import { FilesModule } from './files/files.module.js';
import { IdSearchModule } from './id-search/id-search.module.js';
import { HealthModule } from './health/health.module.js';
import { HealthController } from './http/health.controller.js';
import { PageStyleController } from './http/page-style.controller.js';
import { KeyCheck } from './http/callers/key-check.js';
import { PageVisitors } from './http/callers/page-visitors.js';
import { Challenge } from './http/errors/challenge.js';
import { PathMethods } from './http/paths/path-methods.js';
import { AROUND_HANDLERS } from './pipeline.js';
import { Idempotency } from './idempotency/idempotency.js';
import { SampleIdsSource } from './docs/reference/sample-ids.js';
import { DryRuns } from './http/dry-runs.js';
import { PlanTokens } from './idempotency/plan-tokens.js';
import { OperationLeases } from './idempotency/operation-leases.js';
import { AccountModule } from './account/account.module.js';
import { ApiKeysModule } from './keys/api-keys.module.js';
import { KeyExpiryModule } from './key-expiry/key-expiry.module.js';
import { KeyAuthenticationModule } from './keys/key-authentication.module.js';
import { WorkLines } from './logging/work-lines.js';
import { MetricsModule } from './metrics/metrics.module.js';
import { MailModule } from './mail/mail.module.js';
import { OAuthModule } from './oauth/oauth.module.js';
import { OrganizationDataModule } from './organization-data/organization-data.module.js';
import { ConfiguredPayments } from './payments/configured-payments.js';
import { OutboundModule } from './outbound/outbound.module.js';
import { PeopleModule } from './people/people.module.js';
import { PROJECT_SETUPS, type ModuleSetup } from './people/projects/project-setups.js';
import { BatchedInsertsModule } from './persistence/batches/batched-inserts.module.js';
import { PersistenceModule } from './persistence/persistence.module.js';
import { GuardedDownloads } from './net/downloads.js';
import { TargetRules } from './net/target-rules.js';
import { declaredScopes } from './declared-scopes.js';
import { declaredTokens } from './declared-tokens.js';
import { PLATFORM_DECLARATIONS } from './platform-declarations.js';
import { platformRetention } from './platform-retention.js';
import { QueueModule } from './queue/queue.module.js';
import { RateLimitModule } from './rate-limit/rate-limit.module.js';
import { ModuleRegistry } from './registry/module-registry.js';
import { RegistryModule } from './registry/registry.module.js';
import { RequestLogModule } from './request-log/request-log.module.js';
import { EraseTestData } from './scheduled-jobs/erase-test-data.job.js';
import { ScheduledJobRunner } from './scheduled-jobs/scheduled-job-runner.js';
import { ScheduledJobsModule } from './scheduled-jobs/scheduled-jobs.module.js';
import { ScopeCatalog } from './keys/scope-catalog.js';
import type { InstallationKeys } from './secrets/installation-keys.js';
import { INSTALLATION_KEYS, SecretsModule } from './secrets/secrets.module.js';
import { EVENT_DELIVERIES } from './webhooks/deliveries/event-deliveries.js';
import { webhookSettings } from './webhooks/sending/webhook-settings.js';
import { WebhooksModule } from './webhooks/webhooks.module.js';

export interface PlatformOptions {
  config: AppConfig;
  databaseUrl: string;
  modules: readonly Type[];
  /** Of the modules. */
  registry: ModuleRegistry;
}

/** The declarations of the modules and of the platform; conflicts between them fail the boot. */
export function registryOf(config: AppConfig, modules: readonly Type[]): ModuleRegistry {
  const jobs = [EraseTestData, IndexCustomFields];
  return new ModuleRegistry(modules, { ...PLATFORM_DECLARATIONS, retention: platformRetention(config), jobs });
}

/**
 * Everything around the domain modules:
 * - `config/` settings, secrets, and the suite's public URL
 * - `net/`, `redis/`, `logging/` IP addresses and ranges, downloads; the Redis connection; the logger
 * - `persistence/` PostgreSQL: connections, the kit's store, transactions
 * - `health/` whether this process makes progress
 * - `metrics/`, `tracing/` metrics for Prometheus, traces for OpenTelemetry
 * - `registry/` the declarations of modules and routes, validated at boot
 * - `queue/`, `scheduled-jobs/` work outside of requests, and work that runs at intervals
 * - `events/`, `webhooks/`, `mail/` the outbox of events, their delivery to webhook endpoints, and mail
 * - `event-streams/` events as they are recorded, sent on open connections
 * - `people/` organizations, members, roles, projects, sessions
 * - `developer/` events and webhook endpoints for keys: a module of every suite, which the application adds to the others
 * - `custom-fields/` the fields that administrators add to resources
 * - `bin/` deleted records that can be restored
 * - `files/` contents of files, in PostgreSQL or in a storage
 * - `key-expiry/` mails that announce the expiry of API keys
 * - `account/` passwords, mailed links to set one, invitations of members
 * - `keys/`, `key-changes/`, `rate-limit/` API keys, the invalidation of cached keys, and rate limits
 * - `request/`, `http/` the state of a request, and everything that runs around a route's handler
 * - `audit/` the log of changes of access, configuration and administration
 * - `organization-data/` exporting, closing and erasing an organization, and erasing a person
 * - `secrets/` the keys that encrypt what is stored, and their replacement
 * - `idempotency/`, `request-log/` stored responses for repeated requests, and the request log
 * - `id-search/` what an id belongs to: a request, event, delivery, key or endpoint
 * - `openapi/`, `docs/`, `mcp/` the OpenAPI documents, the documentation pages, and the operations as MCP tools
 * - `oauth/` the authorization server for MCP clients
 */
@Global()
@Module({})
export class PlatformModule {
  static register({ config, databaseUrl, modules, registry }: PlatformOptions): DynamicModule {
    const slices = moduleSlices(config, modules);
    return {
      module: PlatformModule,
      imports: [
        RegistryModule.register(registry),
        PersistenceModule.register({
          url: databaseUrl,
          poolerUrl: poolerUrlOf(config),
          poolSize: config.databasePoolSize,
          role: config.appRole,
          cursorSecret: config.cursorSecret.reveal(),
        }),
        OutboundModule.register(config),
        SecretsModule.register(config),
        AuditModule,
        MetricsModule.register(config),
        BatchedInsertsModule,
        RateLimitModule.register(config, databaseUrl),
        ApiKeysModule,
        KeyAuthenticationModule.register(config),
        RequestLogModule,
        PeopleModule.register(config),
        AccountModule,
        KeyExpiryModule,
        HealthModule.register(config, databaseUrl),
        QueueModule.register(config, databaseUrl),
        ScheduledJobsModule,
        OrganizationDataModule.register(config),
        FilesModule.register(config),
        CustomFieldsModule.register(databaseUrl),
        BinModule,
        MailModule.register(config, modules),
        EventsModule.register(EVENT_DELIVERIES),
        EventCatalogModule,
        EventStreamsModule,
        WebhooksModule.register(config),
        IdSearchModule,
        OAuthModule.register(config),
      ],
      controllers: [HealthController, PageStyleController],
      providers: [
        { provide: BaseUrl, useFactory: () => new BaseUrl(config.baseUrl ?? '') },
        {
          provide: Settings,
          useFactory: (address: BaseUrl, box: SecretBox) => new ModuleSettings(config, slices, address, box),
          inject: [BaseUrl, SecretBox],
        },
        {
          provide: Idempotency,
          useFactory: (dataSource: DataSource, { fingerprints }: InstallationKeys) =>
            new Idempotency(config.idempotencyRetentionHours, fingerprints, dataSource),
          inject: [DataSource, INSTALLATION_KEYS],
        },
        DryRuns,
        SampleIdsSource,
        {
          provide: PlanTokens,
          useFactory: ({ fingerprints }: InstallationKeys) => new PlanTokens(fingerprints),
          inject: [INSTALLATION_KEYS],
        },
        {
          provide: OperationLeases,
          useFactory: (dataSource: DataSource) => new OperationLeases(dataSource, config.idempotencyRetentionHours),
          inject: [DataSource],
        },
        {
          provide: AuditRetention,
          useFactory: (dataSource: DataSource, runner: ScheduledJobRunner) =>
            new AuditRetention(dataSource, runner, config.auditRetentionDays),
          inject: [DataSource, ScheduledJobRunner],
        },
        { provide: PROJECT_SETUPS, useFactory: projectSetups, inject: [ModuleRegistry, ModuleRef] },
        {
          provide: ScopeCatalog,
          useFactory: declaredScopes,
          inject: [ModuleRegistry],
        },
        { provide: KEYLESS_LIMITS, useValue: config },
        { provide: WorkLines, useFactory: () => new WorkLines(config) },
        { provide: Downloads, useFactory: () => new GuardedDownloads(new TargetRules(webhookSettings(config).targets)) },
        { provide: AiModels, useFactory: aiModels, inject: [ModuleRegistry, ModuleRef] },
        { provide: DocumentTokenCatalog, useFactory: declaredTokens, inject: [ModuleRegistry, ModuleRef] },
        { provide: PaymentProviders, useFactory: paymentProviders, inject: [ModuleRegistry, ModuleRef, Outbound] },
        Challenge,
        KeyCheck,
        PageVisitors,
        PathMethods,
        CallLogs,
        ...AROUND_HANDLERS,
      ],
      exports: [
        AiModels,
        BatchedInsertsModule,
        BaseUrl,
        DocumentTokenCatalog,
        Downloads,
        PageVisitors,
        PaymentProviders,
        PROJECT_SETUPS,
        ScopeCatalog,
        Settings,
        WorkLines,
      ],
    };
  }
}

function aiModels(registry: ModuleRegistry, moduleRef: ModuleRef): AiModels {
  const provider = registry.manifests.find(({ aiModel }) => aiModel)?.aiModel;
  return { own: () => (provider ? moduleRef.get<AiModel>(provider, { strict: false }) : null) };
}

function paymentProviders(registry: ModuleRegistry, moduleRef: ModuleRef, outbound: Outbound): PaymentProviders {
  const provider = registry.manifests.find(({ paymentProvider }) => paymentProvider)?.paymentProvider;
  return new ConfiguredPayments(() => (provider ? moduleRef.get<PaymentProvider>(provider, { strict: false }) : null), outbound);
}

/** Each module's setup is resolved when it is first needed, because modules are created after the platform. */
function projectSetups(registry: ModuleRegistry, moduleRef: ModuleRef): ModuleSetup[] {
  return registry.manifests.flatMap(({ name: module, entities, projectSetup }) =>
    projectSetup
      ? [
          {
            module,
            entities,
            setUpProject: (tx, project) => moduleRef.get<ProjectSetup>(projectSetup, { strict: false }).setUpProject(tx, project),
          },
        ]
      : [],
  );
}
