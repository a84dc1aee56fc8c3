type Json = Record<string, unknown>;

interface Document extends Json {
  info: { title: string };
  tags?: { name: string }[];
  paths: Record<string, Record<string, { tags?: string[] }>>;
  webhooks?: Record<string, { post: { tags?: string[] } }>;
  components: Record<string, Record<string, unknown>>;
}

/** The part of an OpenAPI document that describes one tag, such as a module, with the components that it refers to. */
export function documentOfTag(document: object, tag: string, title: string): object {
  const whole = document as Document;
  const isOf = ({ tags }: { tags?: string[] }) => tags?.[0] === tag;
  const paths = Object.entries(whole.paths).flatMap(([path, item]) => {
    const operations = Object.entries(item).filter(([, operation]) => isOf(operation));
    return operations.length > 0 ? [[path, Object.fromEntries(operations)] as const] : [];
  });
  const webhooks = Object.entries(whole.webhooks ?? {}).filter(([, { post }]) => isOf(post));
  const described = {
    paths: Object.fromEntries(paths),
    ...(webhooks.length > 0 && { webhooks: Object.fromEntries(webhooks) }),
  };
  const { components, ...rest } = whole;
  return {
    ...rest,
    info: { ...whole.info, title },
    tags: whole.tags?.filter(({ name }) => name === tag),
    ...described,
    components: usedComponents(described, components),
  };
}

/** Security schemes are referred to by name, so all of them stay. */
function usedComponents(users: unknown, components: Document['components']): Document['components'] {
  const used = new Set<string>();
  const visit = (value: unknown) => {
    for (const [, kind, name] of JSON.stringify(value ?? null).matchAll(/"#\/components\/(\w+)\/([^"]+)"/g)) {
      if (used.has(`${kind}/${name}`)) continue;
      used.add(`${kind}/${name}`);
      visit(components[kind]?.[name]);
    }
  };
  visit(users);
  const kept = Object.entries(components).map(([kind, parts]) => {
    const ofKind = Object.entries(parts).filter(([name]) => kind === 'securitySchemes' || used.has(`${kind}/${name}`));
    return [kind, Object.fromEntries(ofKind)] as const;
  });
  return Object.fromEntries(kept.filter(([, parts]) => Object.keys(parts).length > 0));
}
