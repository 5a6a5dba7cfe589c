import {config} from 'zod'

// zod would try to compile its schemas with `new Function` when they are made. The page's content security policy
// forbids that, and each try is reported as a violation. Imported before anything that makes a schema.
config({jitless: true})
