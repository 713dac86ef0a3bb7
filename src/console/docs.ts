/** The page `/api/v1/docs`: the description of the API, to read and to try, drawn by Swagger UI. */
import swaggerUi from 'swagger-ui-dist/swagger-ui-es-bundle.js'

/** Where the API is for this page: also behind a proxy's path, and under any host name. */
const API = '/api/v1/'

async function showDocs(): Promise<void> {
  const answer = await fetch('openapi.json')
  const description = await answer.json()
  const base = location.href.slice(0, location.href.indexOf(`${API}docs`))
  swaggerUi({
    dom_id: '#docs',
    spec: { ...description, servers: [{ url: base }] },
    deepLinking: true,
    docExpansion: 'list',
    validatorUrl: null,
  })
}

showDocs().catch((error: unknown) => {
  const place = document.querySelector('#docs')
  if (place !== null) place.textContent = `The description of the API could not be shown: ${error}`
})
