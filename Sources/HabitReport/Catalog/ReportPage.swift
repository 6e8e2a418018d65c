import Geo
import HabitModel
import HabitStore
import Rendering
import StoreEngine

extension Report {
    /// Returns the content of the report's HTML page except its rows.
    ///
    /// - Parameter run: The run, which contains the values of the parameters.
    /// - Returns: The texts, the charts and the circle of the page.
    public func page(_ run: ReportRun) -> RenderOptions.PageContent {
        var page = RenderOptions.PageContent()
        page.title = title
        page.description = description
        page.parameters = parameters.compactMap { parameter in
            run.arguments[parameter.name].map { .init(parameter.optionName, $0) }
        }
        page.columns = columns.map { column in
            .init(column.name, column.unit.map { "\(column.meaning) (\($0))" } ?? column.meaning)
        }
        page.charts = charts
        page.circle = circle(run.query.parameters)
        return page
    }

    /// Returns the circle of the first map with a circle, or `nil` if its parameters have no values.
    private func circle(_ values: [String: Value]) -> RenderOptions.PageContent.Circle? {
        for chart in charts {
            guard case .map(_, let circle?) = chart,
                case .number(let longitude) = values["\(circle.center)_longitude"],
                case .number(let latitude) = values["\(circle.center)_latitude"],
                case .number(let meters) = values[circle.radius],
                let center = Position(longitude: longitude, latitude: latitude)
            else { continue }
            return .init(center: center, radius: .meters(meters))
        }
        return nil
    }
}
