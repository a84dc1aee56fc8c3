export const AMOUNT = { example: 12_900, minimum: 0, maximum: Number.MAX_SAFE_INTEGER };
export const RATE = { description: 'Percent.', example: '19', digits: 3, places: 4 };
export const CODE = { description: 'Code of the tax.', example: 'S19', maxLength: 32 };
export const OPTIONAL = { nullable: true, required: false };
