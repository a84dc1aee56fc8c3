import { Injectable } from '@nestjs/common';
import { ModuleRegistry, type DeclaredEvent } from '../../registry/module-registry.js';

/** The events that can be sent, by name; without internal events. */
@Injectable()
export class EventCatalog {
  readonly entries: readonly DeclaredEvent[];

  constructor(modules: ModuleRegistry) {
    this.entries = modules
      .events()
      .filter(({ definition }) => !definition.internal)
      .sort((a, b) => a.definition.name.localeCompare(b.definition.name));
  }

  has(type: string): boolean {
    return this.entries.some(({ definition }) => definition.name === type);
  }
}
