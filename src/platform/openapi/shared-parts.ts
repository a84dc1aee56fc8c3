type Kind = 'examples' | 'parameters' | 'responses' | 'schemas';

/** The parts of a document that are in its `components` once, and to which its operations refer. */
export class SharedParts {
  private readonly parts: Record<Kind, Map<string, object>> = {
    examples: new Map(),
    parameters: new Map(),
    responses: new Map(),
    schemas: new Map(),
  };

  /** A reference to the part; the first call with a name makes it. */
  refer(kind: Kind, name: string, make: () => object): { $ref: string } {
    const parts = this.parts[kind];
    if (!parts.has(name)) parts.set(name, make());
    return { $ref: `#/components/${kind}/${name}` };
  }

  all(kind: Kind): Record<string, object> {
    return Object.fromEntries([...this.parts[kind]].sort(([a], [b]) => (a < b ? -1 : 1)));
  }
}
