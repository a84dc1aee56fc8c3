import 'reflect-metadata';
import { Body, Controller, Get, Headers, Module, Post, Query } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { InjectDataSource, InjectRepository, TypeOrmModule } from '@nestjs/typeorm';
import { Column, DataSource, Entity, JoinColumn, ManyToOne, OneToMany, PrimaryColumn, Repository, type Relation } from 'typeorm';
import { uuidv7 } from 'uuidv7';
import { writeOnce } from './floor-keys.js';

/**
 * The floor for a shop: the same frameworks on the product's tables, and nothing else. Products are read with their variants through
 * relations, and what is available of them by one more statement; an order is written in one round trip by `storefront-sql.ts`. There are
 * no API keys, limits, validation, prices, or events that are read from memory.
 */
@Entity('storefront_products')
class FloorProduct {
  @PrimaryColumn('uuid') id: string;
  @Column('uuid') organization_id: string;
  @Column('uuid') project_id: string;
  @Column('text') mode: string;
  @Column('text') title: string;
  @Column('text') slug: string;
  @Column('text') status: string;
  @Column('text', { nullable: true }) description: string | null;
  @Column('uuid', { array: true }) category_ids: string[];
  @Column('uuid', {
    array: true,
    nullable: true,
  })
  channel_ids: string[] | null;
  @Column('text') tax_class: string;
  @Column('text', { array: true }) option_names: string[];
  @Column('text', { array: true }) image_urls: string[];
  @Column('text', { nullable: true }) external_id: string | null;
  @Column('jsonb') created_by: object;
  @Column('integer') version: number;
  @Column('timestamptz') created_at: Date;
  @Column('timestamptz') updated_at: Date;
  @OneToMany(() => FloorVariant, (variant) => variant.product) variants: Relation<FloorVariant>[];
}

@Entity('storefront_variants')
class FloorVariant {
  @PrimaryColumn('uuid') id: string;
  @Column('uuid') product_id: string;
  @Column('text') sku: string;
  @Column('text', { array: true }) option_values: string[];
  @Column('bigint') price_amount: number;
  @Column('text') currency: string;
  @Column('jsonb') prices: object[];
  @Column('uuid', { nullable: true }) inventory_item_id: string | null;
  @Column('numeric') inventory_quantity: string;
  @Column('boolean') active: boolean;
  @ManyToOne(() => FloorProduct, (product) => product.variants) @JoinColumn({ name: 'product_id' }) product: Relation<FloorProduct>;
}

interface NewOrder {
  channel_id: string;
  shipping_method_id: string;
  location_id: string;
  lines: { variant_id: string; item_id: string }[];
}

const AVAILABLE = `
  SELECT l.item_id, sum(l.on_hand - l.reserved - l.held)::text AS available FROM stock_levels l
  JOIN stock_locations p ON p.id = l.location_id WHERE l.item_id = ANY($1) AND p.active AND p.sellable GROUP BY l.item_id`;

@Controller()
class FloorController {
  constructor(
    @InjectRepository(FloorProduct) private readonly products: Repository<FloorProduct>,
    @InjectDataSource() private readonly database: DataSource,
  ) {}

  @Get('health')
  health() {
    return { status: 'ok' };
  }

  @Get('products')
  async list(@Query('organization_id') organization_id: string) {
    const data = await this.products.find({
      // as the index is sorted
      where: { organization_id, mode: 'live' },
      order: { created_at: 'DESC', id: 'DESC' },
      take: 25,
      relations: { variants: true },
      // one statement for each relation: a join would sort all products
      relationLoadStrategy: 'query',
    });
    const ids = data.flatMap(({ variants }) => variants.flatMap(({ inventory_item_id }) => inventory_item_id ?? []));
    const rows: { item_id: string; available: string }[] = await this.database.query(AVAILABLE, [ids]);
    const available = new Map(rows.map((row) => [row.item_id, row.available]));
    return {
      object: 'list',
      data: data.map((product) => ({
        ...product,
        variants: product.variants.map((variant) => ({ ...variant, available: available.get(variant.inventory_item_id ?? '') ?? null })),
      })),
    };
  }

  @Post('orders')
  async place(@Body() body: NewOrder, @Headers('idempotency-key') key?: string) {
    const order = { object: 'order', id: uuidv7(), ...body, state: 'open' };
    const lines = body.lines.map((line) => ({ ...line, id: uuidv7(), reservation_id: uuidv7() }));
    const event = (type: string, object: object, internal = false) => {
      const id = uuidv7();
      return { id, type, internal, rest: JSON.stringify({ id, object: 'event', type, data: { object } }).slice(1) };
    };
    const events = [
      event('order.created', order),
      event('order.state_changed', order),
      event('order.placed', order, true),
      ...lines.map((line) => event('stock_reservation.created', line)),
    ];
    const write = {
      name: 'place',
      text: 'SELECT FROM bare_place($1) AS placed WHERE placed',
      values: [JSON.stringify({ ...order, lines, events })],
      response: order,
    };
    return (await writeOnce(({ text, values }) => this.database.query<object[]>(text, values), write, key)) ?? { object: 'error' };
  }
}

const { DATABASE_URL, DATABASE_POOL_SIZE, HOST, PORT } = process.env;

@Module({
  imports: [
    TypeOrmModule.forRoot({
      type: 'postgres',
      url: DATABASE_URL,
      entities: [FloorProduct, FloorVariant],
      extra: { max: Number(DATABASE_POOL_SIZE) },
    }),
    TypeOrmModule.forFeature([FloorProduct, FloorVariant]),
  ],
  controllers: [FloorController],
})
class FloorModule {}

const app = await NestFactory.create<NestFastifyApplication>(FloorModule, new FastifyAdapter(), { logger: false });
app.enableShutdownHooks();
await app.listen(Number(PORT), HOST as string);
