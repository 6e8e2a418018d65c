import StoreEngine

/// The functions that the report views and SQL over them need, derived from their definitions.
///
/// A view runs functions with the rights of its reader. The analyst's role may therefore execute these functions, and
/// outside `pg_catalog` no others.
struct AnalystFunctions {
    /// The names of functions in `habitat_functions`.
    private(set) var own: Set<String> = []
    /// The names of functions of PostGIS, in lowercase.
    private(set) var ofPostGIS: Set<String> = []

    /// Derives the functions.
    ///
    /// - Parameters:
    ///   - views: The statements that create the views.
    ///   - postgis: The schema of PostGIS in the views.
    ///   - allowed: The names of the functions that SQL of users may call.
    init(views: [String], postgis: String, allowed: Set<String>) {
        let definitions = Self.definitions
        // The functions whose definitions may call others.
        var open = Array(allowed.intersection(definitions.keys))
        for view in views {
            let calls = Self.calls(in: view, postgis: postgis)
            ofPostGIS.formUnion(calls.ofPostGIS)
            let called = calls.own.union(calls.unqualified)
            open += called.intersection(definitions.keys)
        }
        while let name = open.popLast() {
            let isNew = own.insert(name).inserted
            guard isNew, let calls = definitions[name] else { continue }
            ofPostGIS.formUnion(calls.ofPostGIS)
            open += calls.own.intersection(definitions.keys)
        }
    }

    /// The names of functions that SQL calls.
    private struct Calls {
        var own: Set<String> = []
        var ofPostGIS: Set<String> = []
        var unqualified: Set<String> = []
    }

    /// The calls in the definition of each function of the file.
    ///
    /// A name can have several definitions.
    private static var definitions: [String: Calls] {
        let file = String(decoding: PackageResources.postgis_functions_sql, as: UTF8.self)
        let statements = file.components(separatedBy: "CREATE OR REPLACE ").dropFirst()
        var definitions: [String: Calls] = [:]
        for statement in statements {
            let head = statement.prefix { character in character != "(" }
            guard let name = head.split(separator: ".").last else { continue }
            let sql = statement.replacing("$$", with: " ")
            let calls = calls(in: sql, postgis: "postgis")
            var known = definitions[String(name)] ?? Calls()
            known.own.formUnion(calls.own)
            known.ofPostGIS.formUnion(calls.ofPostGIS)
            definitions[String(name)] = known
        }
        return definitions
    }

    private static func calls(in sql: String, postgis: String) -> Calls {
        let tokens = SQLTokenizer(sql).tokens
        var calls = Calls()
        for (index, token) in tokens.enumerated() {
            guard let name = token.name else { continue }
            let isQualified = index > 1 && tokens[index - 1].isSymbol(".")
            let schema = isQualified ? tokens[index - 2].name : nil
            // An aggregate names its functions without calling them.
            if schema == "habitat_functions" {
                calls.own.insert(name)
                continue
            }
            let next = index + 1
            guard next < tokens.count, tokens[next].isSymbol("(") else { continue }
            if schema == postgis {
                calls.ofPostGIS.insert(name)
            }
            if schema == nil {
                calls.unqualified.insert(name)
            }
        }
        return calls
    }

    /// A SELECT of the functions in the catalog.
    ///
    /// Functions of PostGIS also exist for other types, which the views do not use.
    func select(_ connection: PostGISConnection) -> String {
        func list(_ names: Set<String>) -> String {
            guard !names.isEmpty else { return "NULL" }
            let literals = names.sorted().map(connection.literal)
            return literals.joined(separator: ", ")
        }
        let schema = connection.literal(connection.postgisSchema)
        return """
            SELECT routine.oid, routine.pronamespace
            FROM pg_catalog.pg_proc AS routine
            JOIN pg_catalog.pg_namespace AS space ON space.oid = routine.pronamespace
            WHERE space.nspname = 'habitat_functions' AND routine.proname IN (\(list(own)))
              OR space.nspname = \(schema) AND routine.proname IN (\(list(ofPostGIS)))
                AND NOT EXISTS (
                  SELECT
                  FROM pg_catalog.unnest(routine.proargtypes::oid[]) AS argument(type)
                  JOIN pg_catalog.pg_type AS type ON type.oid = argument.type
                  WHERE type.typname IN ('geography', 'raster', 'topogeometry')
                )
                AND (routine.proname = 'st_geomfromtext'
                  OR routine.proargtypes[0] IS DISTINCT FROM 'pg_catalog.text'::pg_catalog.regtype::oid)
            """
    }
}
