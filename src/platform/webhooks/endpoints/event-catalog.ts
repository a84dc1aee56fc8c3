import { Injectable } from '@nestjs/common';
import { ModuleRegistry, type DeclaredEvent } from '../../registry/module-registry.js';

/** The events that can be sent, by name; without internal events. */
@Injectable()
export class EventCatalog {
  readonly entries: readonly DeclaredEvent[];

  constructor(modules: ModuleRegistry) {
    this.entries = sentEvents(modules);
  }

  has(type: string): boolean {
    return this.entries.some(({ definition }) => definition.name === type);
  }
}

/** By name, without the internal ones. */
export function sentEvents(modules: ModuleRegistry): DeclaredEvent[] {
  return modules
    .events()
    .filter(({ definition }) => !definition.internal)
    .sort((a, b) => a.definition.name.localeCompare(b.definition.name));
}
