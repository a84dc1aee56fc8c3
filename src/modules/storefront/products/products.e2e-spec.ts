import { expect, it } from '@jest/globals';
import { errorOf } from '../../../../test/harness/client.js';
import { sharedApp } from '../../../../test/harness/hosted-app.js';
import { EXT_INVENTORY } from '../../inventory/testing/inventory-fixture.js';
import { EXT_STOREFRONT, makeProduct, openStore, ORG_STOREFRONT, type MadeProduct } from '../testing/storefront-fixture.js';

const app = await sharedApp();
const statements = app.inside<typeof import('../../../../test/harness/statements.js')>('test/harness/statements.ts');
const { owner, shop, client, inventory, fresh, stocked } = await openStore(app);

it('a product finds its channel, currency and slug; availability counts what is sellable', async () => {
  const { itemId, productId } = await stocked('7');
  const [one, two] = [
    await makeProduct(client, shop.projectId, fresh('sku'), { title: 'Größe & Maß', category_ids: [shop.categoryId] }),
    await makeProduct(client, shop.projectId, fresh('sku'), {
      title: 'Größe & Maß',
      option_names: ['Pack'],
      variants: [
        { sku: fresh('sku'), price_amount: 5, option_values: ['3'], inventory_item_id: itemId, inventory_quantity: '3' },
        { sku: fresh('sku'), price_amount: 5, option_values: ['1'] },
      ],
    }),
  ];
  expect([one, two]).toMatchObject([
    { slug: 'grosse-mass' },
    { slug: 'grosse-mass-2', variants: [{ currency: 'EUR', inventory_quantity: '3' }, { inventory_item_id: null }] },
  ]);
  const listed = await client.get(`${EXT_STOREFRONT}/products?q=gross&expand=availability&channel_id=${shop.channelId}&sort=title`);
  expect(
    listed.body.data.map((product: { variants: { available: number | null }[] }) => product.variants.map(({ available }) => available)),
  ).toEqual([[null], [2, null]]);
  const ids = async (query: string) =>
    (await client.get(`${EXT_STOREFRONT}/products?${query}`)).body.data.map(({ id }: { id: string }) => id);
  expect(await ids(`category_id=${shop.categoryId}`)).toEqual([one.id]);
  expect(await ids(`sku=${one.variants[0].sku.toUpperCase()}`)).toEqual([one.id]);
  const put = (path: string, body: object) => client.put(`${EXT_STOREFRONT}/products/${path}`, body);
  expect(errorOf(await put(`${two.id}/variants/${fresh('v')}`, { price_amount: 1 }))).toEqual([400, 'validation_failed', 'option_values']);
  expect(errorOf(await put(`${two.id}/variants/${fresh('v')}`, { price_amount: 1, option_values: ['1'] }))).toEqual([
    409,
    'duplicate',
    'option_values',
  ]);
  expect(errorOf(await put(`${two.id}/variants/${one.variants[0].sku}`, { price_amount: 1, option_values: ['9'] }))).toEqual([
    409,
    'duplicate',
    'sku',
  ]);
  expect((await put(`${two.id}/variants/${fresh('v')}`, { price_amount: 1, option_values: ['9'] })).status).toBe(201);
  expect(errorOf(await client.patch(`${EXT_STOREFRONT}/products/${two.id}`, { option_names: [] }))).toEqual([
    400,
    'validation_failed',
    'option_names',
  ]);
  const twice = [fresh('v'), fresh('v')].map((sku) => ({ sku, price_amount: 1 }));
  expect(errorOf(await client.post(`${EXT_STOREFRONT}/products`, { title: 'X', project_id: shop.projectId, variants: twice }))).toEqual([
    400,
    'validation_failed',
    'variants.1.option_values',
  ]);
  expect((await client.get(`${EXT_STOREFRONT}/products/${productId}?expand=availability`)).body.variants[0].available).toBe(7);
});

it('the products of a category are listed in every order, page by page, also once they have changed', async () => {
  const project_id = shop.projectId;
  const category = async () => (await owner.post(`${ORG_STOREFRONT}/categories`, { project_id, name: fresh('Group') })).body.id as string;
  const [one, two] = [await category(), await category()];
  const make = (title: string, ...category_ids: string[]) => makeProduct(client, project_id, fresh('sku'), { title, category_ids });
  const [c, a, b] = [await make('C', one), await make('A', one, two), await make('B', one)];
  const titles = async (query: string): Promise<string> => {
    const { data, next_cursor } = (await client.get(`${EXT_STOREFRONT}/products?limit=2&${query}`)).body;
    const page = data.map(({ title }: { title: string }) => title).join('');
    return next_cursor ? `${page} ${await titles(`${query.replace(/&cursor=.*/, '')}&cursor=${encodeURIComponent(next_cursor)}`)}` : page;
  };
  const ofOne = (sort: string) => titles(`category_id=${one}&sort=${sort}`);
  expect([await ofOne('title'), await ofOne('created_at'), await ofOne('-updated_at')]).toEqual(['AB C', 'CA B', 'BA C']);
  expect(await titles(`category_id=${one},${two}&sort=-title`)).toBe('CB A');
  await client.patch(`${EXT_STOREFRONT}/products/${c.id}`, { title: '0' });
  await client.patch(`${EXT_STOREFRONT}/products/${a.id}`, { category_ids: [] });
  await client.patch(`${EXT_STOREFRONT}/products/${b.id}`, { category_ids: [two, one] });
  expect([await ofOne('title'), await titles(`category_id=${two}`)]).toEqual(['0B', 'B']);
  expect((await owner.delete(`${ORG_STOREFRONT}/categories/${two}`)).status).toBe(409);
  for (const { id } of [b, c]) await client.patch(`${EXT_STOREFRONT}/products/${id}`, { category_ids: [] });
  for (const id of [one, two]) expect((await owner.delete(`${ORG_STOREFRONT}/categories/${id}`)).status).toBe(204);
});

it('many products with one title at once all get a slug', async () => {
  const make = () => makeProduct(client, shop.projectId, fresh('sku'), { title: '椅子' });
  const made = await Promise.all(Array.from({ length: 8 }, make));
  const slugs = made.map((product) => (product as MadeProduct & { slug: string }).slug);
  expect(new Set(slugs).size).toBe(8);
  for (const slug of slugs) expect(slug).toMatch(/^product(-\w+)?$/);
});

it('a file of products is checked, imported once, and names the rows that it refuses', async () => {
  const { itemId } = await stocked('3');
  const { sku: item } = (await inventory.get(`${EXT_INVENTORY}/items/${itemId}`)).body;
  const stoolSku = fresh('stool');
  const file = [
    'External ID,title,sku,price_amount,category,inventory_sku,color',
    `${fresh('erp')},Stool,${stoolSku},1990,chairs,${item},red`,
    `${fresh('erp')},Bench,${fresh('bench')},-5,,,`,
    `${fresh('erp')},Sofa,${fresh('sofa')},99,Sofas,,`,
    `${fresh('erp')},Sofa,${fresh('sofa')},99,,unknown,`,
    `erp-twice,Lamp,${fresh('lamp')},99,,,`,
    `erp-twice,Lamp,${fresh('lamp')},99,,,`,
    `${fresh('erp')},Stool,${stoolSku},1990,,,`,
  ].join('\n');
  const send = async (dry_run: boolean) => {
    const path = `${ORG_STOREFRONT}/imports/products?project_id=${shop.projectId}&dry_run=${dry_run}`;
    return (await owner.send('post', path, file, { 'content-type': 'text/csv' })).body;
  };
  const errors = [
    { row: 2, code: 'validation_failed', param: 'price_amount' },
    { row: 3, code: 'validation_failed', param: 'category' },
    { row: 4, code: 'validation_failed', param: 'inventory_sku' },
    { row: 6, code: 'duplicate', param: 'external_id' },
    { row: 7, code: 'duplicate', param: 'sku', message: expect.stringMatching(/^sku stool-\d+ exists already/) },
  ];
  const expected = { object: 'product_import', rows: 7, imported: 2, failed: 5, ignored_columns: ['color'], errors };
  expect(await send(true)).toMatchObject({ ...expected, dry_run: true });
  expect(await send(false)).toMatchObject({ ...expected, dry_run: false });
  expect(await send(false)).toMatchObject({ imported: 0, failed: 7 });
  const [stool] = (await client.get(`${EXT_STOREFRONT}/products?q=stool`)).body.data;
  expect(stool).toMatchObject({ category_ids: [shop.categoryId], variants: [{ currency: 'EUR', inventory_item_id: itemId }] });
});

it('a file of products is read by a few statements, however many rows it has; rows with one title get a slug each', async () => {
  const rows = Array.from(
    { length: 130 },
    (_, index) => `${fresh('many')},${index % 5 === 0 ? 'Twin stool' : `Stool ${index}`},${fresh('many')},99`,
  );
  const file = ['external_id,title,sku,price_amount', ...rows].join('\n');
  await statements.recordStatements();
  const imported = await owner.send('post', `${ORG_STOREFRONT}/imports/products?project_id=${shop.projectId}`, file, {
    'content-type': 'text/csv',
  });
  const sent = await statements.takeStatements();
  expect(imported.body).toMatchObject({ imported: 130, errors: [] });
  expect(sent.filter((text) => /FROM "?storefront_(products|variants)/.test(text)).length).toBeLessThan(5);
  const { data } = (await client.get(`${EXT_STOREFRONT}/products?q=twin&limit=100`)).body;
  const slugs = (data as { slug: string }[]).map(({ slug }) => slug);
  expect(slugs).toEqual(expect.arrayContaining(['twin-stool', 'twin-stool-2', 'twin-stool-20']));
  expect(new Set(slugs).size).toBe(26);
});
