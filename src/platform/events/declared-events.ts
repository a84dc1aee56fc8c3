import { Injectable, type OnModuleInit } from '@nestjs/common';
import { EventCatalog, type CatalogEvent } from '../../kit/index.js';
import { jobOf } from '../../kit/internal.js';
import { examplePayload } from './example-payload.js';
import { OutboxSignal } from './outbox-signal.js';
import { ModuleRegistry, type DeclaredEvent } from '../registry/module-registry.js';
import { JOB_QUEUE } from '../queue/job-table.js';
import { JobNotifier } from '../queue/job-notifier.js';

/** The kit's `EventCatalog`; the outbox also reads from it which jobs listen, and notifies the workers of them. */
@Injectable()
export class DeclaredEvents extends EventCatalog implements OnModuleInit {
  private known: ReadonlyMap<string, CatalogEvent> | undefined;

  constructor(
    private readonly modules: ModuleRegistry,
    private readonly outbox: OutboxSignal,
    private readonly notifier: JobNotifier,
  ) {
    super();
  }

  list(): readonly CatalogEvent[] {
    return [...this.byType().values()];
  }

  find(type: string): CatalogEvent | undefined {
    return this.byType().get(type);
  }

  onModuleInit(): void {
    const listening = this.modules.manifests.flatMap(({ onInternalEvent, internalEvents, eventSubscriptions }) =>
      onInternalEvent ? [{ job: jobOf(onInternalEvent).name, internalEvents, eventSubscriptions }] : [],
    );
    this.outbox.listeners = listening.map(({ job, internalEvents }) => ({ job, types: internalEvents }));
    this.outbox.subscriptions = listening.flatMap(({ job, internalEvents, eventSubscriptions }) =>
      eventSubscriptions ? [{ job, named: internalEvents, ...eventSubscriptions }] : [],
    );
    this.outbox.subscribe(({ jobs }) => {
      if (jobs > 0) this.notifier.notify(JOB_QUEUE);
    });
  }

  private byType(): ReadonlyMap<string, CatalogEvent> {
    this.known ??= new Map(
      this.modules
        .events()
        .map(entryOf)
        .sort((one, other) => one.type.localeCompare(other.type))
        .map((entry) => [entry.type, entry]),
    );
    return this.known;
  }
}

function entryOf({ definition: { name, description, payload, scope } }: DeclaredEvent): CatalogEvent {
  return { type: name, description, payload, example: examplePayload(payload), scope: scope ?? null };
}
