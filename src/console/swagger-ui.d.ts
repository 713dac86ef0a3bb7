declare module 'swagger-ui-dist/swagger-ui-es-bundle.js' {
  /** @see https://swagger.io/docs/open-source-tools/swagger-ui/usage/configuration/ */
  const swaggerUi: (options: Readonly<Record<string, unknown>>) => unknown
  export = swaggerUi
}
