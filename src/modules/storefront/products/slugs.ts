import { randomBytes } from 'node:crypto';
import { DomainError, own, sql, table, type Tx } from '../../../kit/index.js';
import { Product } from '../model/product.entity.js';

const LONGEST = 200;
const NUMBERS = 20;

/** Inserts a product with a slug from its title, which ends with a number if others have it: `office-chair-2`. */
export async function insertWithNewSlug(tx: Tx, values: Partial<Product> & Pick<Product, 'project_id' | 'title'>): Promise<Product> {
  const insert = (slug: string) => tx.insert(Product, { ...values, slug });
  const [slug] = await newSlugs(tx, values.project_id, [values.title]);
  try {
    return await tx.attempt(() => insert(slug));
  } catch (error) {
    // another product with this title was created in the meantime
    if (!(error instanceof DomainError) || error.spec.code !== 'duplicate' || error.occurrence.param !== 'slug') throw error;
    return insert(randomSlug(values.title));
  }
}

/** A slug for each title that no product of the project and no other of these has. Reads few slugs however many products have a title. */
export async function newSlugs(tx: Tx, projectId: string, titles: readonly string[], others: readonly string[] = []): Promise<string[]> {
  const bases = titles.map(slugOf);
  const taken = new Set([...others, ...(await existing(tx, projectId, bases))]);
  const seen = new Set<string>();
  const repeated = new Set(bases.filter((base) => taken.has(base) || seen.has(base) || !seen.add(base)));
  if (repeated.size > 0) for (const slug of await existing(tx, projectId, [...repeated].flatMap(numbered))) taken.add(slug);
  return bases.map((base) => {
    const slug = [base, ...numbered(base)].find((one) => !taken.has(one)) ?? withRandomEnd(base);
    taken.add(slug);
    return slug;
  });
}

export function randomSlug(title: string): string {
  return withRandomEnd(slugOf(title));
}

async function existing(tx: Tx, projectId: string, slugs: readonly string[]): Promise<string[]> {
  const found = await tx.sql<{ slug: string }>(
    sql`SELECT p.slug FROM ${table(Product)} p WHERE ${own('p')} AND p.project_id = ${projectId} AND p.slug = ANY(${[...new Set(slugs)]})`,
  );
  return found.map(({ slug }) => slug);
}

function numbered(base: string): string[] {
  return Array.from({ length: NUMBERS - 1 }, (_, index) => `${base}-${index + 2}`);
}

function withRandomEnd(base: string): string {
  return `${base}-${randomBytes(4).toString('hex')}`;
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
