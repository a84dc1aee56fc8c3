import { Controller, Post, Query } from '@nestjs/common';
import {
  CommonErrors,
  csvUpload,
  Ctx,
  Endpoint,
  Field,
  IMPORT_LIMITS,
  ImportResultDto,
  MoneyImportQuery,
  Upload,
  Uploaded,
} from '../../../kit/index.js';
import { ProductImport } from './product-import.service.js';
import { ProductEvents } from '../products/products.events.js';

/** The result of an import. */
export class ProductImportDto extends ImportResultDto {
  @Field.constant('product_import')
  object: string;
}

@Controller('/api/v1/ext/storefront/imports')
export class ProductImportsController {
  constructor(private readonly products: ProductImport) {}

  @Post('products')
  @Endpoint({
    scope: 'storefront:product:write',
    operation: 'import_products',
    summary: 'Create products from a CSV file',
    description:
      'Columns: title, sku, price_amount; optionally external_id, slug, description, status, tax_class, currency, category (a name), ' +
      'inventory_sku, inventory_quantity. Rows with errors are skipped and reported. Give each row an external_id: then a file that is ' +
      'sent again imports nothing twice.',
    member: { permission: 'storefront.product.manage' },
    returns: ProductImportDto,
    upload: csvUpload(
      'Products with one variant each.',
      'external_id,title,sku,price_amount,currency\nerp-4711,Office chair,CHAIR-BLACK,12900,EUR\n',
    ),
    bodyLimit: IMPORT_LIMITS.bytes,
    errors: [CommonErrors.duplicate],
    emits: [ProductEvents.productCreated],
  })
  import(@Ctx() ctx: Ctx, @Query() query: MoneyImportQuery, @Uploaded() upload: Upload): Promise<ProductImportDto> {
    return this.products.run(ctx, upload, query);
  }
}
