import { Controller, Post, Query } from '@nestjs/common';
import { CommonErrors, Ctx, Endpoint, Field, IMPORT_LIMITS, ImportResultDto, Upload, Uploaded } from '../../../kit/index.js';
import { EXAMPLE } from '../model/example-ids.js';
import { ProductImport } from './product-import.service.js';

export class ProductImportQuery {
  @Field.uuid({
    description: 'Project of the products; the default project if omitted.',
    example: EXAMPLE.project,
    required: false,
  })
  project_id?: string;

  @Field.boolean({
    description: 'Only check the file; write nothing.',
    example: true,
    default: false,
    required: false,
  })
  dry_run?: boolean;
}

/** The result of an import. */
export class ProductImportDto extends ImportResultDto {
  @Field.constant('product_import')
  object: string;
}

const UPLOAD = {
  'text/csv': {
    type: 'string',
    description: 'Products with one variant each. UTF-8, headings first, at most 10 MiB and 10,000 rows.',
    example: 'external_id,title,sku,price_amount,currency\nerp-4711,Office chair,CHAIR-BLACK,12900,EUR\n',
  },
};

@Controller('/api/v1/org/storefront/imports')
export class OrgProductImportsController {
  constructor(private readonly products: ProductImport) {}

  @Post('products')
  @Endpoint({
    operation: 'import_org_products',
    summary: 'Create products from a CSV file',
    description:
      'Columns: title, sku, price_amount; optionally external_id, slug, description, status, tax_class, currency, category (a name), ' +
      'inventory_sku, inventory_quantity. Rows with errors are skipped and named. Give each row an external_id: then a file that is sent ' +
      'again imports nothing twice.',
    permission: 'storefront.product.manage',
    returns: ProductImportDto,
    upload: UPLOAD,
    bodyLimit: IMPORT_LIMITS.bytes,
    errors: [CommonErrors.duplicate],
  })
  import(@Ctx() ctx: Ctx, @Query() query: ProductImportQuery, @Uploaded() upload: Upload): Promise<ProductImportDto> {
    return this.products.run(ctx, upload.bytes, query);
  }
}
