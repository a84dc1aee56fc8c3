import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InternalEvents } from '../../kit/index.js';
import { jobOf } from '../../kit/internal.js';
import { examplePayload } from './example-payload.js';
import { OutboxSignal } from './outbox-signal.js';
import { ModuleRegistry } from '../registry/module-registry.js';
import { JOB_QUEUE } from '../queue/job-table.js';
import { JobNotifier } from '../queue/job-notifier.js';

/** Implements the kit's `InternalEvents`. It also registers the listeners' jobs with the outbox, and notifies workers of them. */
@Injectable()
export class DeclaredInternalEvents extends InternalEvents implements OnModuleInit {
  constructor(
    private readonly modules: ModuleRegistry,
    private readonly outbox: OutboxSignal,
    private readonly notifier: JobNotifier,
  ) {
    super();
  }

  list(): { type: string; description: string; example: object }[] {
    const internal = this.modules.events().filter(({ definition }) => definition.internal);
    return internal
      .map(({ definition: { name, description, payload } }) => ({ type: name, description, example: examplePayload(payload) }))
      .sort((a, b) => a.type.localeCompare(b.type));
  }

  onModuleInit(): void {
    this.outbox.listeners = this.modules.manifests.flatMap(({ onInternalEvent }) => (onInternalEvent ? [jobOf(onInternalEvent).name] : []));
    this.outbox.subscribe(({ jobs }) => {
      if (jobs > 0) this.notifier.notify(JOB_QUEUE);
    });
  }
}
