import { randomBytes } from 'node:crypto';
import { DomainError, own, sql, table, type Tx } from '../../../kit/index.js';
import { Product } from '../model/product.entity.js';

const LONGEST = 200;
const NUMBERS = 20;

/** Inserts a product with a slug from its title, which ends with a number if others have it: `office-chair-2`. */
export async function insertWithNewSlug(tx: Tx, values: Partial<Product> & Pick<Product, 'project_id' | 'title'>): Promise<Product> {
  const base = slugOf(values.title);
  const insert = (slug: string) => tx.insert(Product, { ...values, slug });
  const slug = await freeSlug(tx, values.project_id, base);
  try {
    return await tx.attempt(() => insert(slug));
  } catch (error) {
    // another product with this title was created in the meantime
    if (!(error instanceof DomainError) || error.spec.code !== 'duplicate' || error.occurrence.param !== 'slug') throw error;
    return insert(withRandomEnd(base));
  }
}

/** Reads few slugs however many products have the title. */
async function freeSlug(tx: Tx, projectId: string, base: string): Promise<string> {
  const slugs = [base, ...Array.from({ length: NUMBERS - 1 }, (_, index) => `${base}-${index + 2}`)];
  const taken = await tx.sql<{ slug: string }>(
    sql`SELECT p.slug FROM ${table(Product)} p WHERE ${own('p')} AND p.project_id = ${projectId} AND p.slug = ANY(${slugs})`,
  );
  return slugs.find((slug) => taken.every((one) => one.slug !== slug)) ?? withRandomEnd(base);
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
