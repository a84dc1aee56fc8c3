import type { Ctx, Tx } from '../../../kit/index.js';

const LONGEST = 200;

/** Makes a slug from a title, with a number if it is taken: `office-chair-2`. */
export async function newSlug(ctx: Ctx, tx: Tx, projectId: string, title: string): Promise<string> {
  const base = slugOf(title);
  const taken = await tx.query<{ slug: string }>(
    `SELECT slug FROM storefront_products WHERE organization_id = $1 AND project_id = $2 AND mode = $3 AND (slug = $4 OR slug LIKE $5)`,
    [ctx.organizationId, projectId, ctx.mode, base, `${base}-%`],
  );
  const slugs = new Set(taken.map(({ slug }) => slug));
  if (!slugs.has(base)) return base;
  let number = 2;
  while (slugs.has(`${base}-${number}`)) number++;
  return `${base}-${number}`;
}

function slugOf(title: string): string {
  const plain = title
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replaceAll('ß', 'ss')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, LONGEST)
    .replace(/^-+|-+$/g, '');
  return plain === '' ? 'product' : plain;
}
