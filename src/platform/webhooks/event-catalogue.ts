import { Injectable } from '@nestjs/common';
import type { EventDefinition } from '../../kit/index.js';
import { ModuleRegistry } from '../registry/module-registry.js';
import { WebhookEvents } from './webhook.events.js';

export interface CatalogueEntry {
  definition: EventDefinition;
  /** Null for the platform's own. */
  module: string | null;
}

/** Every event that can be sent out, by module and name. Internal events are not among them. */
@Injectable()
export class EventCatalogue {
  readonly entries: readonly CatalogueEntry[];

  constructor(modules: ModuleRegistry) {
    const declared = modules.manifests.flatMap(({ name, events }) => Object.values(events ?? {}).map((definition) => ({ definition, module: name })));
    const own = Object.values(WebhookEvents).map((definition) => ({ definition: definition as EventDefinition, module: null }));
    this.entries = [...declared, ...own].filter(({ definition }) => !definition.internal).sort((a, b) => a.definition.name.localeCompare(b.definition.name));
  }

  has(type: string): boolean {
    return this.entries.some(({ definition }) => definition.name === type);
  }
}
