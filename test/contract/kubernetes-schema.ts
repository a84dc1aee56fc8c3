export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
  spec: Record<string, unknown>;
}

/**
 * What the API server would refuse: values that its schemas do not allow, and fields that these do not know. Schemas allow any field beside
 * theirs, but their compiled form reads each field that it knows, so what was not read is unknown.
 */
export async function manifestFaults(manifest: Manifest): Promise<string[]> {
  const { apiVersion, kind } = manifest;
  const models = (await import(`kubernetes-models/${apiVersion}/${kind}`)) as Record<string, { prototype: { validate(): void } }>;
  const unread = new Set<string>();
  const watched = Object.create(models[kind].prototype, Object.getOwnPropertyDescriptors(watch(manifest, '', unread))) as {
    validate(): void;
  };
  const faults: string[] = [];
  try {
    watched.validate();
  } catch (error) {
    faults.push((error as Error).message);
  }
  return [...faults, ...Array.from(unread, (path) => `${path} is unknown`)];
}

function watch(value: unknown, path: string, unread: Set<string>): object {
  if (Array.isArray(value)) return value.map((item, index) => (isObject(item) ? watch(item, `${path}/${index}`, unread) : item));
  const copy = {};
  for (const [key, field] of Object.entries(value as object)) {
    const own = `${path}/${key}`;
    const inner: unknown = isObject(field) ? watch(field, own, unread) : field;
    unread.add(own);
    Object.defineProperty(copy, key, {
      enumerable: true,
      get: () => {
        unread.delete(own);
        return inner;
      },
    });
  }
  return copy;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
